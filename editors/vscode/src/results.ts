// What the server answers to commands, and what is shown of it.

export interface Verdict {
  property: string;
  number: string;
  verdict: string;
  message: string;
  text: string | null;
  page: string | null;
}

export interface CheckResult {
  kind: "check";
  verdicts: Verdict[];
  notes: string[];
}

export interface GenerateResult {
  kind: "generate";
  message: string;
  text: string;
  complete: boolean;
  notes: string[];
}

export interface AuditResult {
  kind: "audit";
  message: string;
  survivors?: { operator: string; message: string }[];
  notes: string[];
}

export type Result = CheckResult | GenerateResult | AuditResult;

/** A line for the status of a job. */
export function summary(result: Result): string {
  if (result.kind !== "check") {
    return result.message;
  }
  const counts = new Map<string, number>();
  for (const verdict of result.verdicts) {
    counts.set(verdict.verdict, (counts.get(verdict.verdict) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, n]) => `${n} ${word}`);
  return parts.length === 0 ? "There are no properties to check" : parts.join(", ");
}

/** The text of a virtual document for a result. */
export function document(result: Result): string {
  const notes = result.notes.map((note) => `-- ${note}\n`).join("");
  switch (result.kind) {
    case "check": {
      const parts = result.verdicts.map((verdict) => `-- ${verdict.message}\n${verdict.text ?? ""}`);
      return parts.join("\n") + (notes && `\n${notes}`);
    }
    case "generate":
      return `${notes}${result.text}`;
    case "audit": {
      const survivors = result.survivors ?? [];
      const lines = survivors.map(({ operator, message }) => `${operator}: ${message}\n`);
      return `-- ${result.message}\n${notes}${lines.join("")}`;
    }
  }
}

/** The first counterexample that can be drawn. */
export function trace(result: Result): Verdict | undefined {
  return result.kind === "check" ? result.verdicts.find((verdict) => verdict.page !== null) : undefined;
}
