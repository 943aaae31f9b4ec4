import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { textOf, type ContractMember, type Contracts } from "./contracts.js";
import { DECLARATION_TYPES } from "./reference.js";
import { joined, memberBlock } from "./reference-parts.js";
import { serviceAddress } from "./service-pages.js";
import type { NamedType } from "./source-modules.js";
import { addressOf, pageOf, TYPE_PAGES, typeLink, typesLine, type TypePage } from "./type-pages.js";

/** The entry points of the package, whose signatures name the types of the reference. */
const DOORS: readonly string[] = [
  ...globSync("lib/*/index.ts", { cwd: fileURLToPath(new URL("../..", import.meta.url)) }).sort(),
  "kernel/index.ts",
  "plugins/main.ts",
  "plugins/render/theme-api/index.ts",
  "plugins/testing.ts",
  "plugins/auth/mount-auth.ts",
];

/** Every page of types with the names on it, in alphabetical order. */
export function typeIndex(contracts: Contracts): string {
  const types = publicTypes(contracts);
  return TYPE_PAGES.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
    .map((page) => {
      const links = types.filter((type) => pageOf(type) === page).map(typeLink);
      return `## [${page.title}](${addressOf(page)})\n\n${links.join(", ")}.`;
    })
    .join("\n\n");
}

/** The types of a page, with what they are and their members. */
export function typeEntries(contracts: Contracts, page: TypePage): string {
  const elsewhere = shownElsewhere(contracts);
  return publicTypes(contracts)
    .filter((type) => pageOf(type) === page)
    .map((type) => typeEntry(contracts, type, elsewhere.get(type.name)))
    .join("\n\n");
}

function publicTypes(contracts: Contracts): NamedType[] {
  return contracts.publicTypes(DOORS).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function typeEntry(contracts: Contracts, named: NamedType, page: string | undefined): string {
  const { alias, bases, comment, members, names, parameters } = contracts.type(named);
  if (comment.text === "")
    throw new Error(`${named.name} in ${named.from} lacks a doc comment: the reference shows it`);
  const parts = [`## ${named.name}`, comment.text];
  if (page !== undefined) return joined([...parts, `Members: ${page}.`]);
  const declaration =
    alias === null
      ? parameters === ""
        ? ""
        : `Type parameters: \`${parameters}\`.`
      : `\`\`\`ts\ntype ${named.name}${parameters} = ${alias};\n\`\`\``;
  return joined([
    ...parts,
    declaration,
    typesLine(names),
    typesLine(bases).replace("Types: ", "Extends "),
    memberBlock(members),
  ]);
}

/** Types that another page of the reference shows with their members: name to a link to the entry. */
function shownElsewhere(contracts: Contracts): ReadonlyMap<string, string> {
  const reference = "/extend/reference";
  const entries = (
    registry: string,
    link: (member: ContractMember) => string,
  ): [string, string][] =>
    contracts.members(registry).flatMap((member) => {
      const name = typeName(member);
      const isShown = (contracts.typeOf(member)?.members.length ?? 0) > 0;
      return name !== undefined && isShown ? [[name, link(member)]] : [];
    });
  const slug = (name: string): string => name.toLowerCase();
  return new Map<string, string>([
    ["Plugin", `[declaration](${reference}/declaration)`],
    ["SiteContext", `[site context](${reference}#site-context)`],
    ["HookMap", `[hooks](${reference}/hooks)`],
    ["Services", `[services](${reference}/services)`],
    ["Engines", `[engine slots](${reference}/engines)`],
    ["Extensions", `[extension lists](${reference}/extensions)`],
    ...DECLARATION_TYPES.map((name): [string, string] => [
      name,
      `[declaration](${reference}/declaration#type-${slug(name)})`,
    ]),
    ...entries("SiteContext", ({ name }) => `[site.${name}](${reference}#site${slug(name)})`),
    ...entries("Services", (service) => `[service ${service.name}](${serviceAddress(service)})`),
    ...entries("Engines", ({ name }) => `[slot ${name}](${reference}/engines#slot-${slug(name)})`),
    ...entries(
      "Extensions",
      ({ name }) => `[list ${name}](${reference}/extensions#list-${slug(name)})`,
    ),
  ]);
}

/** The name of the type of a member, without its type arguments. */
function typeName({ type }: ContractMember): string | undefined {
  return type !== undefined && ts.isTypeReferenceNode(type) ? textOf(type.typeName) : undefined;
}
