/** Why a YAML text could not be changed. The text stays as it was. */
export class YamlEditError extends Error {
  /** What is wrong, without key and line: `is not a map`. */
  readonly problem: string;
  /** Dotted; empty for the text as a whole. */
  readonly key: string;
  /** From 1. */
  readonly line: number;

  constructor(
    problem: string,
    { key = "", at }: { readonly key?: string; readonly at: number },
    text: string,
  ) {
    const line = text.slice(0, at).split("\n").length;
    const about = key === "" ? "the text" : `key ${JSON.stringify(key.slice(0, 80))}`;
    super(`line ${line}: ${about} ${problem}`);
    this.name = "YamlEditError";
    this.problem = problem;
    this.key = key;
    this.line = line;
  }
}
