/** `plugin:add` and `theme:add`. */
import type { Command, CommandInput } from "#kernel";
import { addPluginEntry, ConfigFileWriter, nameOfSource, readRawConfig } from "#kernel/internal";
import { addTheme } from "../edit-sources.js";
import { packagesError } from "../errors.js";
import { sourcesOf, type Source } from "../sources.js";
import { synchronise, type Workshop } from "../synchronise.js";
import { openWorkshop, sourceFrom } from "../workshop.js";
import { JSON_OPTION, printSync } from "./print-sync.js";

/** `plugin:add <source>`: installs it, pins it, adds it to site.yaml. None of its code runs. */
export const addPluginCommand: Command = {
  name: "plugin:add",
  summary:
    "add a plugin from npm, a tarball or git: install it, pin it in site.lock, add it to site.yaml",
  arguments: "<source>",
  options: [JSON_OPTION],
  run: (input) => add(input, { kind: "plugin", edit: addPluginEntry }),
};

/** `theme:add <source>`. */
export const addThemeCommand: Command = {
  name: "theme:add",
  summary:
    "add a theme from npm, a tarball or git: install it, pin it in site.lock, add it to site.yaml",
  arguments: "<source>",
  options: [
    ["--name <name>", "name of the theme in site.yaml"],
    ["--use", "make it the active theme"],
    JSON_OPTION,
  ],
  run: (input) => {
    const { name, use } = input.options;
    const chosen = { ...(typeof name === "string" && { name }), use: use === true };
    return add(input, { kind: "theme", edit: (text, src) => addTheme(text, { src, ...chosen }) });
  },
};

interface Addition {
  kind: Source["kind"];
  edit(text: string, src: string): string;
}

async function add(input: CommandInput, { kind, edit }: Addition): Promise<number> {
  const workshop = await openWorkshop(input);
  const src = await sourceFrom(input.args[0] ?? "", workshop, kind);
  const isThere = assertNew(workshop, { kind, src });
  const writer = new ConfigFileWriter(input.root);
  // Check that it can be written before anything is installed.
  if (!isThere) edit((await writer.read("site")).text, src);
  const config = isThere ? workshop.config : withSource(workshop, { kind, src });
  const result = await synchronise({ ...workshop, config });
  if (result.blocked.length > 0) return printSync(input, result);
  if (!isThere) await writer.edit("site", ({ text }) => edit(text, src));
  const isNamed = sourcesOf(await readRawConfig(input.root)).some((source) => source.src === src);
  if (!isNamed) {
    input.out.error("site.yaml lists it, but an overlay in env/ overrides site.yaml");
  }
  return printSync(
    input,
    result,
    `${src} ${isThere ? "was already listed" : "is listed in site.yaml"}`,
  );
}

/** True when it is already listed. @throws ERR_PACKAGE_ENTRY for another version of it. */
function assertNew({ config }: Workshop, { kind, src }: Pick<Source, "kind" | "src">): boolean {
  const [added] = sourcesOf({ site: { plugins: [src] } });
  const known = sourcesOf(config).filter((source) => source.kind === kind);
  if (known.some((source) => source.src === src && source.enabled)) return true;
  const other = known.find((source) => source.src === src || isSamePackage(source, added));
  if (other === undefined) return false;
  const how = other.enabled ? `as ${other.src}` : "but disabled";
  throw packagesError(
    "ERR_PACKAGE_ENTRY",
    `${other.name} is already listed ${how}`,
    fixFor(other, added),
  );
}

/** An archive is named after its package: `file:./vendor/name-1.0.0.tgz`, `git+https://host/name.git`. */
function isSamePackage({ npm, archive, src }: Source, added: Source | undefined): boolean {
  if (added === undefined) return false;
  if (npm !== null && added.npm !== null) return npm.name === added.npm.name;
  const isArchive = archive !== null || added.archive !== null;
  const isPackage = npm !== null || archive !== null;
  return isArchive && isPackage && nameOfSource(src) === nameOfSource(added.src);
}

function fixFor(other: Source, added: Source | undefined): string {
  if (!other.enabled) return "remove `enabled: false`";
  const isNewer = other.npm !== null && added?.npm !== null;
  return isNewer
    ? `run site plugin:update ${other.name} --latest`
    : `run site ${other.kind}:remove ${other.name} first`;
}

function withSource(
  { config: { site } }: Workshop,
  { kind, src }: Pick<Source, "kind" | "src">,
): Workshop["config"] {
  const { plugins, themes } = site;
  if (kind === "theme") {
    return { site: { ...site, themes: [...(Array.isArray(themes) ? themes : []), { src }] } };
  }
  if (Array.isArray(plugins)) return { site: { ...site, plugins: [...plugins, { src }] } };
  return { site: { ...site, plugins: { ...Object(plugins), [src]: { src } } } };
}
