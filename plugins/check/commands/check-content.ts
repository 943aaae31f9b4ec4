import type { Command } from "#kernel";
import type { ContentProblem } from "../../content/contract.js";

/** `content:check`: all problems of the content. */
export function checkContentCommand(): Command {
  return {
    name: "content:check",
    summary:
      "report problems of the content: skipped pages, broken links, missing templates, unused files",
    options: [
      ["--strict", "exit 1 for warnings too"],
      ["--json", "print JSON"],
    ],
    async run({ site, out, options }) {
      const problems = await (await site()).use("check").problems();
      const errors = problems.filter(({ severity }) => severity === "error").length;
      if (options["json"] === true)
        out.json({ problems, errors, warnings: problems.length - errors });
      else {
        for (const problem of problems) out.line(formatProblem(problem));
        out.line(
          problems.length === 0
            ? "no problems"
            : `${errors} errors, ${problems.length - errors} warnings`,
        );
      }
      const failures = options["strict"] === true ? problems.length : errors;
      return failures > 0 ? 1 : 0;
    },
  };
}

function formatProblem(problem: ContentProblem): string {
  const { sourcePath, severity, code, message, line, key, value, fix } = problem;
  const place = line === undefined ? sourcePath : `${sourcePath}:${line}`;
  const given = value === undefined ? "" : `  ${key}: ${value}`;
  const hint = fix === undefined ? "" : `  ${fix}`;
  return `${place}  ${severity}  ${message}${given}${hint}  (${code})`;
}
