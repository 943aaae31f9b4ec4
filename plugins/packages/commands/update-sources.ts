/** `plugin:update`: newer versions of plugins and themes. */
import type { Command, CommandInput } from "#kernel";
import { ConfigFileWriter } from "#kernel/internal";
import { chooseVersion, rangeFor } from "../choose-version.js";
import { replaceSource } from "../edit-sources.js";
import { packagesError } from "../errors.js";
import { packagesOf, sourcesOf, type Source } from "../sources.js";
import { synchronise, type Workshop } from "../synchronise.js";
import { openWorkshop } from "../workshop.js";
import { JSON_OPTION, printSync } from "./print-sync.js";
import { findSource } from "./remove-source.js";

/** `plugin:update [names…]`: the newest versions in their ranges, or of all with `--latest`. */
export const updateCommand: Command = {
  name: "plugin:update",
  summary: "update plugins and themes to the newest version in their range, or of all (--latest)",
  arguments: "[names...]",
  options: [["--latest", "ignore the range and write the new one to site.yaml"], JSON_OPTION],
  run: update,
};

async function update(input: CommandInput): Promise<number> {
  const workshop = await openWorkshop(input);
  const sources = sourcesOf(workshop.config);
  const named = input.args.map((given) => findSource(sources, { given }));
  const archive = named.find((source) => source.archive !== null);
  if (archive !== undefined) throw noUpdate(archive);
  const wanted = named.map(({ src }) => src);
  const ranges = packagesOf(workshop.config).map(({ src }) => src);
  const isMeant = (src: string): boolean =>
    wanted.length === 0 ? ranges.includes(src) : wanted.includes(src);
  if (input.options["latest"] !== true) {
    return printSync(input, await synchronise(workshop, { upgrade: isMeant }));
  }
  const moved = await newRanges(workshop, isMeant);
  const rewrite = (text: string): string => {
    return [...moved].reduce((now, [from, to]) => replaceSource(now, from, to), text);
  };
  const config = { site: renamed(workshop.config.site, moved) };
  const news = new Set([...moved].map(([, to]) => to));
  const result = await synchronise(
    { ...workshop, config },
    { upgrade: (src) => news.has(src) || isMeant(src) },
  );
  if (result.blocked.length === 0 && moved.size > 0) {
    await new ConfigFileWriter(input.root).edit("site", ({ text }) => rewrite(text));
  }
  return printSync(input, result);
}

/** A tarball and a commit have no range. */
function noUpdate({ name, src }: Source) {
  return packagesError(
    "ERR_PACKAGE_ENTRY",
    `${name} comes from ${src}, which has no newer version`,
    `run site plugin:remove ${name}, then site plugin:add with the new tarball or commit`,
  );
}

/** Specifiers whose newest version is outside of their range, mapped to new specifiers. */
async function newRanges(
  { config, npm, age, now }: Workshop,
  isMeant: (src: string) => boolean,
): Promise<Map<string, string>> {
  const moved = new Map<string, string>();
  for (const { src, npm: wanted } of packagesOf(config).filter((one) => isMeant(one.src))) {
    const { name, range } = wanted;
    const version = chooseVersion(await npm.published(name), { range: "*", age, now });
    const next = `npm:${name}@${rangeFor(range, version)}`;
    if (next !== src) moved.set(src, next);
  }
  return moved;
}

/** The same values with the specifiers replaced. */
function renamed(
  site: Readonly<Record<string, unknown>>,
  moved: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const { plugins, theme, themes } = site;
  const text = JSON.stringify({ plugins, theme, themes });
  const swap = (_: string, value: unknown): unknown =>
    typeof value === "string" ? (moved.get(value) ?? value) : value;
  return { ...site, ...Object(JSON.parse(text, swap)) };
}
