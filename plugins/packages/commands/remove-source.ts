/** `plugin:remove` and `theme:remove`. */
import { ConfigFileWriter, installedVersion, readInstalled, readRawConfig } from "#kernel/internal";
import type { Command, CommandInput } from "#kernel";
import { removeSource } from "../edit-sources.js";
import { packagesError } from "../errors.js";
import { packageName, sourcesOf, type Source } from "../sources.js";
import { synchronise } from "../synchronise.js";
import { openWorkshop } from "../workshop.js";
import { JSON_OPTION, printSync } from "./print-sync.js";

/** `plugin:remove <name>`: removes it from site.yaml, site.lock and node_modules. */
export const removePluginCommand: Command = {
  name: "plugin:remove",
  summary: "remove a plugin from site.yaml, site.lock and node_modules",
  arguments: "<name>",
  options: [JSON_OPTION],
  run: (input) => remove(input, "plugin"),
};

/** `theme:remove <name>`. */
export const removeThemeCommand: Command = {
  name: "theme:remove",
  summary: "remove a theme from site.yaml, site.lock and node_modules",
  arguments: "<name>",
  options: [JSON_OPTION],
  run: (input) => remove(input, "theme"),
};

async function remove(input: CommandInput, kind: Source["kind"]): Promise<number> {
  const workshop = await openWorkshop(input);
  const source = findSource(sourcesOf(workshop.config), { kind, given: input.args[0] ?? "" });
  const installed = await readInstalled(input.root);
  const name = packageName(source, installed);
  const writer = new ConfigFileWriter(input.root);
  await writer.edit("site", ({ text }) => removeSource(text, source));
  const config = await readRawConfig(input.root);
  const isUsed = sourcesOf(config).some((other) => packageName(other, installed) === name);
  if (name !== null && !isUsed && installed !== null && installedVersion(installed, name)) {
    await workshop.npm.uninstall([name]);
  }
  const result = await synchronise({ ...workshop, config });
  return printSync(input, result, `${source.src} is removed from site.yaml`);
}

/** The plugin or theme for a name, a package's name or a source. @throws ERR_PACKAGE_ENTRY. */
export function findSource(
  sources: readonly Source[],
  { kind, given }: { kind?: Source["kind"]; given: string },
): Source {
  const found = sources.find(
    ({ name, src, npm, kind: own }) =>
      (kind === undefined || own === kind) && [name, src, npm?.name].includes(given),
  );
  if (found !== undefined) return found;
  const names = sources.filter((one) => kind === undefined || one.kind === kind);
  throw packagesError(
    "ERR_PACKAGE_ENTRY",
    `the configuration has no ${kind ?? "plugin or theme"} ${JSON.stringify(given.slice(0, 120))}`,
    names.length === 0
      ? "none is configured"
      : `configured: ${names.map(({ name }) => name).join(", ")}`,
  );
}
