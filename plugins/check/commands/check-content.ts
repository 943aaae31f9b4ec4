import type { Command } from "#kernel";
import type { ContentProblem } from "../../content/contract.js";

/** `content:check`: all problems of the content. */
export function checkContentCommand(): Command {
  return {
    name: "content:check",
    summary:
      "report problems of the content: skipped pages, broken links, missing templates, unused files",
    options: [["--json", "print JSON"]],
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
      return errors > 0 ? 1 : 0;
    },
  };
}

function formatProblem({ sourcePath, severity, code, message, line }: ContentProblem): string {
  const place = line === undefined ? sourcePath : `${sourcePath}:${line}`;
  return `${place}  ${severity}  ${message}  (${code})`;
}
