import { SiteError } from "#lib/errors";
import type { ConfigIssue } from "../contracts.js";

/** One problem in the configuration, as `config:validate` prints it. */
export type ConfigProblem = ConfigIssue;

/** ERR_CONFIG_INVALID: the configuration is invalid; `problems` lists every problem. */
export class ConfigError extends SiteError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super("ERR_CONFIG_INVALID", `${count} in the configuration\n${formatProblems(problems)}`, {
      details: problems,
    });
    this.problems = problems;
  }
}

/** One line: `file:line:column  key  received  expected  fix`. */
export function formatProblem(problem: ConfigProblem): string {
  const place = `${problem.file}:${problem.line}:${problem.column}`;
  const received = `received ${formatReceived(problem.received)}`;
  const expected = `expected ${problem.expected}`;
  return [place, problem.key || "(file)", received, expected, problem.fix].map(oneLine).join("  ");
}

/** The problem of a key, without its place and fix. */
export function causeOf({
  key,
  received,
  expected,
}: Pick<ConfigProblem, "key" | "received" | "expected">): string {
  return oneLine(
    `${key || "the file"}: received ${formatReceived(received)}, expected ${expected}`,
  );
}

/** One problem per line. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems.map(formatProblem).join("\n");
}

const MAX_RECEIVED = 120;

function formatReceived(value: unknown): string {
  if (value === undefined) return "nothing";
  const json = JSON.stringify(value) ?? String(value);
  return json.length > MAX_RECEIVED ? `${json.slice(0, MAX_RECEIVED)}…` : json;
}

/** A value from a file may contain anything; the problem stays on one line. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
