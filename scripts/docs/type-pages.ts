import type { NamedType } from "./source-modules.js";

/** A page of the reference of types. */
export interface TypePage {
  /** Its folder; without the number, the last part of its address. */
  folder: string;
  title: string;
  /** Files that declare its types, the first page that matches has them. */
  files: RegExp;
}

const TYPES_ADDRESS = "/extend/reference/types";

/** By theme; the numbers of their folders order them. */
export const TYPE_PAGES: readonly TypePage[] = [
  { folder: "12.testing", title: "Tests", files: /\/testing\/|^plugins\/testing\.ts$/ },
  {
    folder: "02.hooks",
    title: "Hooks, services, engines and extensions",
    files: /^(?:kernel\/contracts\/(?:hooks|services|slot-info)|lib\/values\/value-checks)\.ts$/,
  },
  {
    folder: "03.http",
    title: "Requests, responses and routes",
    files:
      /^kernel\/(?:http\/|contracts\/(?:http|request-state|route-tool)\.)|^(?:lib\/http|plugins\/openapi)\//,
  },
  {
    folder: "04.data",
    title: "Changes, caches, jobs, records and fields",
    files:
      /^(?:lib\/(?:fields|files|query|git|jobs|stores|databases)\/|plugins\/(?:jobs|records)\/|kernel\/contracts\/(?:cache|change|nodes))/,
  },
  {
    folder: "01.plugins",
    title: "Plugins, settings, commands and sites",
    files: /^(?:kernel|lib\/(?:log|terminal))\//,
  },
  {
    folder: "05.content",
    title: "Pages, records and their changes",
    files: /^plugins\/(?:content|pages|flex|check|history|git-sync)\//,
  },
  {
    folder: "06.texts",
    title: "Markdown, media, forms and mail",
    files: /^plugins\/(?:markdown|media|forms|comments|email)\//,
  },
  {
    folder: "15.theme-parts",
    title: "Parts of themes",
    files: /^plugins\/render\/theme-api\//,
  },
  { folder: "07.themes", title: "Themes and templates", files: /^plugins\/render\// },
  { folder: "08.search", title: "Search", files: /^plugins\/search\// },
  {
    folder: "09.accounts",
    title: "Visitors, sessions and permissions",
    files: /^plugins\/(?:users|auth|session|security)\//,
  },
  { folder: "10.panel", title: "Panel and admin API", files: /^plugins\/(?:panel|admin)\// },
  { folder: "13.yaml", title: "YAML", files: /^lib\/yaml\// },
  { folder: "14.library", title: "Library", files: /^lib\// },
  { folder: "11.operation", title: "Operation", files: /^plugins\// },
];

/** The page that shows a type of this repository. */
export function pageOf({ from }: NamedType): TypePage {
  const page = TYPE_PAGES.find(({ files }) => files.test(from));
  if (page === undefined) throw new Error(`${from} belongs to no page of TYPE_PAGES`);
  return page;
}

/** The address of a page below the site. */
export function addressOf({ folder }: TypePage): string {
  return `${TYPES_ADDRESS}/${folder.replace(/^\d+\./, "")}`;
}

/** A line with a link to each type, and the package of each foreign one; empty without types. */
export function typesLine(types: readonly NamedType[]): string {
  const entries = new Map(
    types
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((type) => [`${type.from} ${type.name}`, type] as const),
  );
  const lines = [...entries.values()].map((type) =>
    type.isForeign ? `\`${type.name}\` (package \`${type.from}\`)` : typeLink(type),
  );
  return lines.length === 0 ? "" : `Types: ${lines.join(", ")}.`;
}

/** A link to the entry of a type. */
export function typeLink(type: NamedType): string {
  return `[${type.name}](${addressOf(pageOf(type))}#${type.name.toLowerCase()})`;
}
