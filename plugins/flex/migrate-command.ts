import { type Command, optionError, type Output } from "#kernel";
import type { FlexMigrationReport, FlexService } from "./contract.js";

/** `migrate:flex [type] [--dry-run]`: migrates records to the version of their type. */
export function migrateFlexCommand(): Command {
  return {
    name: "migrate:flex",
    summary: "bring flex records to the version of their type",
    arguments: "[type]",
    options: [["--dry-run", "say what would be done, write nothing"]],
    run: async ({ args, options, site, out }) => {
      const flex = (await site()).use("flex");
      const only = args[0] === undefined || args[0] === "" ? null : args[0];
      if (only !== null && flex.type(only) === undefined) throw unknownType(flex, only);
      const types = flex.types().filter(({ name }) => only === null || name === only);
      const isDryRun = options["dryRun"] === true;
      const reports: FlexMigrationReport[] = [];
      for (const { name } of types) reports.push(await migrateOne(flex, name, out, isDryRun));
      if (types.length === 0) out.line("no flex types");
      return reports.some(({ failed }) => failed.length > 0) ? 1 : 0;
    },
  };
}

function unknownType(flex: FlexService, name: string): Error {
  const names = flex.types().map((type) => type.name);
  return optionError(`no flex type is named ${JSON.stringify(name)}`, {
    fix: names.length === 0 ? "declare a flex type first" : `use one of ${names.join(", ")}`,
  });
}

async function migrateOne(
  flex: FlexService,
  name: string,
  out: Output,
  isDryRun: boolean,
): Promise<FlexMigrationReport> {
  const bar: { progress?: ReturnType<Output["progress"]> } = {};
  const report = await flex.migrate(name, {
    dryRun: isDryRun,
    onRecord: (done, total) => {
      bar.progress ??= out.progress(name, total);
      bar.progress.tick(done);
    },
  });
  bar.progress?.end();
  for (const line of reportLines(report, isDryRun)) out.line(line);
  return report;
}

/** A report as text lines. */
export function reportLines(report: FlexMigrationReport, isDryRun: boolean): string[] {
  const { type, records, migrated, current, from, to, failed } = report;
  const verb = isDryRun ? "would be migrated" : "migrated";
  const step = migrated === 0 ? "" : ` (v${from} → v${to})`;
  const summary = `${type}: ${records} records — ${migrated} ${verb}${step}, ${current} already current`;
  return [summary, ...failed.map(({ id, message }) => `  ${type}/${id}: ${message}`)];
}
