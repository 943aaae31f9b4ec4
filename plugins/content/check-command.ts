/** `site content:check`: every file that is left out or says something that means nothing. */
import type { Command, SiteContext } from "#kernel";
import type { ContentProblem } from "./contract.js";

/** The command. */
export function checkCommand(): Command {
  return {
    name: "content:check",
    summary: "report pages that are left out, fields that are ignored, broken sidecars",
    options: [["--json", "print JSON"]],
    async run({ site, out, options }) {
      const problems = await allProblems(await site());
      const errors = problems.filter(({ severity }) => severity === "error").length;
      if (options.json === true) out.json({ problems });
      else for (const problem of problems) out.line(format(problem));
      if (options.json !== true) out.line(summary(problems.length, errors));
      return errors > 0 ? 1 : 0;
    },
  };
}

async function allProblems(site: SiteContext): Promise<readonly ContentProblem[]> {
  const content = site.use("content");
  return [...content.generation().problems, ...(await content.mediaProblems())];
}

function format({ sourcePath, severity, code, message, line }: ContentProblem): string {
  const place = line === undefined ? sourcePath : `${sourcePath}:${line}`;
  return `${place}  ${severity}  ${message}  (${code})`;
}

function summary(problems: number, errors: number): string {
  if (problems === 0) return "no problems";
  return `${errors} errors, ${problems - errors} warnings`;
}
