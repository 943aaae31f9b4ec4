import { SiteError } from "#lib/errors";
import { formatProblem } from "#lib/values";
import type { ConfigIssue } from "../contracts.js";

/** One problem in the configuration, as `config:validate` prints it. */
export type ConfigProblem = ConfigIssue;

/** ERR_CONFIG_INVALID: the configuration is invalid; `problems` lists every problem. */
export class ConfigError extends SiteError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super(
      "ERR_CONFIG_INVALID",
      `${count} in the configuration\n${problems.map(formatProblem).join("\n")}`,
      {
        details: problems,
      },
    );
    this.problems = problems;
  }
}
