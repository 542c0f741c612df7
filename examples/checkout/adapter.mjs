// Drives a shop by the events of the checkout machine, for `specwright run`.
//
//     specwright run suite.json -- node examples/checkout/adapter.mjs shop.mjs

import readline from "node:readline";

const { Shop } = await import(new URL(process.argv[2], import.meta.url));

// One function per event.
const events = {
  ADD: (shop) => shop.add(),
  REMOVE: (shop) => shop.remove(),
  CHECKOUT: (shop) => shop.checkout(),
  EXPRESS: (shop) => shop.toggleExpress(),
  ADDRESS: (shop) => shop.enterAddress(),
  PAY: (shop) => shop.pay(),
  BACK: (shop) => shop.back(),
  "done.charge": (shop) => shop.paid(),
  "error.charge": (shop) => shop.refused(),
  "after.SESSION.payment": (shop) => shop.expire(),
};

const look = ({ page, items, attempts, express }) => ({
  state: page,
  "context.items": items,
  "context.attempts": attempts,
  "context.express": express,
});

let shop = new Shop();
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { op, inputs } = JSON.parse(line);
  if (op === "bye") process.exit(0);
  if (op === "reset") shop = new Shop();
  if (op === "step") events[inputs.event](shop);
  const answer = op === "hello" ? { protocol: "specwright/run/1", reset: true } : { outputs: look(shop) };
  process.stdout.write(JSON.stringify(answer) + "\n");
});
