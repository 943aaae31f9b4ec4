import { textOf, type ContractMember, type Contracts } from "./contracts.js";
import { firstSentence } from "./doc-comment.js";
import { grouped } from "./grouped.js";
import { exampleBlock, joined, memberBlock } from "./reference-parts.js";
import {
  SERVICE_PAGES,
  serviceAddress,
  servicePageOf,
  servicesAddress,
  type ServicePage,
} from "./service-pages.js";
import { code, table } from "./table.js";
import { typesLine } from "./type-pages.js";

/** Every member of the site context, with the members of its groups. */
export function contextEntries(contracts: Contracts): string {
  const members = grouped(contracts.members("SiteContext"), ({ name }) => name);
  return [...members.values()].map((overloads) => contextEntry(contracts, overloads)).join("\n\n");
}

function contextEntry(contracts: Contracts, overloads: readonly ContractMember[]): string {
  const [first] = overloads;
  if (first === undefined) throw new Error("a member needs a declaration");
  const members = contracts.typeOf(first)?.members ?? [];
  const isMethod = first.type === undefined;
  return joined([
    `### site.${first.name}`,
    isMethod ? first.comment.text : `${first.comment.text} ${typeSentence(first, contracts)}`,
    isMethod ? memberBlock(overloads, () => "") : memberBlock(members, firstSentence),
    exampleOf(first, contracts),
  ]);
}

/** Types of the declaration that the reference shows beside its keys. */
export const DECLARATION_TYPES: readonly string[] = [
  "Command",
  "CommandInput",
  "Output",
  "Diagnostic",
  "ExaminedSite",
  "Finding",
  "SettingsProblem",
  "InspectedSite",
];

/** Every key of a plugin's declaration, and the types that they name. */
export function declarationEntries(contracts: Contracts): string {
  const rows = contracts
    .members("Plugin")
    .map(({ name, signature, comment }) => [code(name), code(typeOfKey(signature)), comment.text]);
  const types = DECLARATION_TYPES.map((name) =>
    joined([`### Type ${name}`, memberBlock(contracts.members(name))]),
  );
  return joined([
    table(["Key", "Type", "What it does, an example, and the default"], rows),
    typesLine(contracts.members("Plugin").flatMap(({ names }) => names)),
    ...types,
  ]);
}

/** `name?: string;` as `string`; `setup?(site): void;` as `(site): void`. */
function typeOfKey(signature: string): string {
  return signature
    .replace(/\s+/g, " ")
    .replace(/^\w+\??:? ?/, "")
    .replace(/;$/, "");
}

/** Every page of services with the names on it, in alphabetical order. */
export function serviceIndex(contracts: Contracts): string {
  return SERVICE_PAGES.map((page) => {
    const links = servicesOf(contracts, page).map(
      (service) => `[${service.name}](${serviceAddress(service)})`,
    );
    return `## [${page.title}](${servicesAddress(page)})\n\n${links.join(", ")}.`;
  }).join("\n\n");
}

/** The services of a page with their members. */
export function serviceEntries(contracts: Contracts, page: ServicePage): string {
  return servicesOf(contracts, page)
    .map((service) => joined([`## Service ${service.name}`, ...partsOf(service, contracts)]))
    .join("\n\n");
}

function servicesOf(contracts: Contracts, page: ServicePage): ContractMember[] {
  return byName(contracts.members("Services")).filter((one) => servicePageOf(one) === page);
}

/** Every engine slot with the contract of its engines. */
export function engineEntries(contracts: Contracts): string {
  return byName(contracts.members("Engines"))
    .map((slot) => joined([`## Slot ${slot.name}`, ...partsOf(slot, contracts)]))
    .join("\n\n");
}

/** Every extension list with the type of what plugins add to it. */
export function extensionEntries(contracts: Contracts): string {
  return byName(contracts.members("Extensions"))
    .map((list) => joined([`## List ${list.name}`, ...partsOf(list, contracts)]))
    .join("\n\n");
}

function partsOf(member: ContractMember, contracts: Contracts): string[] {
  const owner = member.owner === "kernel" ? "Kernel" : `Plugin: ${code(member.owner)}`;
  return [
    `${descriptionOf(member, contracts)} ${owner}. ${typeSentence(member, contracts)}`,
    memberBlock(contracts.typeOf(member)?.members ?? []),
    exampleOf(member, contracts),
  ];
}

/** The type by name, in full if it has no members. */
function typeSentence(member: ContractMember, contracts: Contracts): string {
  const named = member.type === undefined ? "" : textOf(member.type);
  return `Type: ${code(contracts.typeOf(member)?.alias ?? named)}.`;
}

/** What the member says about itself; without a comment, what its type says. */
function descriptionOf(member: ContractMember, contracts: Contracts): string {
  const { text } = member.comment;
  return text === "" ? (contracts.typeOf(member)?.comment.text ?? "") : text;
}

/** The example of the member, else of its type. */
function exampleOf(member: ContractMember, contracts: Contracts): string {
  const example = member.comment.example ?? contracts.typeOf(member)?.comment.example ?? null;
  return exampleBlock(member.name, { text: descriptionOf(member, contracts), example });
}

function byName(members: readonly ContractMember[]): ContractMember[] {
  return [...members].sort((a, b) => (a.name < b.name ? -1 : 1));
}
