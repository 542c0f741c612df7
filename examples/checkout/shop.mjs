// A checkout in plain JavaScript, without a statechart library.

export class Shop {
  page = "cart";
  items = 0;
  attempts = 0;
  express = false;

  add() {
    if (this.page === "cart" && this.items < 3) this.items += 1;
  }

  remove() {
    if (this.page === "cart" && this.items > 0) this.items -= 1;
  }

  checkout() {
    if (this.page === "cart" && this.items > 0) this.page = "shipping";
  }

  toggleExpress() {
    if (this.page === "shipping") this.express = !this.express;
  }

  enterAddress() {
    if (this.page !== "shipping") return;
    this.attempts = 0;
    this.page = "payment.entering";
  }

  pay() {
    if (this.page !== "payment.entering") return;
    this.attempts += 1;
    this.page = "payment.charging";
  }

  paid() {
    this.items = 0;
    this.page = "confirmed";
  }

  refused() {
    this.page = this.attempts < 3 ? "payment.entering" : "declined";
  }

  expire() {
    this.express = false;
    this.page = "cart";
  }

  back() {
    const before = { shipping: "cart", "payment.entering": "shipping", declined: "cart" };
    this.page = before[this.page] ?? this.page;
  }
}
