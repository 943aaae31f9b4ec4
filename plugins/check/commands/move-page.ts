import type { Command, CommandInput } from "#kernel";
import { exitCode } from "#kernel/internal";
import type { MoveReport } from "../contract.js";

/** `content:move`: moves a page to another route, updates links and adds a redirect. */
export function movePageCommand(): Command {
  return {
    name: "content:move",
    summary: "move a page to another route, update links and redirect the old address",
    arguments: "<route> <new-route>",
    options: [
      ["--dry-run", "show what would change"],
      ["--no-redirect", "do not redirect the old address"],
      ["--json", "print JSON"],
    ],
    run: (input) => exitCode(input, () => movePage(input)),
  };
}

async function movePage({ site, args, options, out }: CommandInput): Promise<number> {
  const check = (await site()).use("check");
  const moves = check.movesFor(args[0] ?? "", args[1] ?? "");
  const report = await check.move(moves, {
    dryRun: options["dryRun"] === true,
    redirect: options["redirect"] !== false,
  });
  if (options["json"] === true) out.json({ moves, ...report });
  else {
    for (const { path, to } of moves) out.line(`${path} → ${to}`);
    printReport(report, out);
  }
  return report.ok && report.redirectError === null ? 0 : 1;
}

function printReport(report: MoveReport, out: CommandInput["out"]): void {
  for (const path of report.rewritten) out.line(`links rewritten: ${path}`);
  for (const { path, errors } of report.results) {
    if (errors.length > 0) out.error(`${path}: ${errors.join("; ")}`);
  }
  if (report.redirectError !== null) out.error(report.redirectError);
}
