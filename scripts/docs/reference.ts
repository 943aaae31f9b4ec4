import { textOf, type ContractMember, type Contracts } from "./contracts.js";
import { firstSentence } from "./doc-comment.js";
import { grouped } from "./grouped.js";
import { exampleBlock, memberList } from "./reference-parts.js";
import { code } from "./table.js";

/** Every member of the site context, with the members of its groups. */
export function contextEntries(contracts: Contracts): string {
  const members = grouped(contracts.members("SiteContext"), ({ name }) => name);
  return [...members].map(([name, its]) => contextEntry(contracts, name, its)).join("\n\n");
}

function contextEntry(
  contracts: Contracts,
  name: string,
  overloads: readonly ContractMember[],
): string {
  const [first] = overloads;
  if (first === undefined) return "";
  const signatures = overloads.map(({ signature }) => `${signature};`).join("\n");
  const members = contracts.typeOf(first)?.members ?? [];
  const parts = [
    `### site.${name}`,
    first.comment.text,
    `\`\`\`ts\n${signatures}\n\`\`\``,
    memberList(members, firstSentence),
    example(name, first, contracts),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Every service with its members. */
export function serviceEntries(contracts: Contracts): string {
  return byName(contracts.members("Services"))
    .map((service) => contractEntry(`Service ${service.name}`, service, contracts))
    .join("\n\n");
}

/** Every engine slot with the contract of its engines. */
export function engineEntries(contracts: Contracts): string {
  return byName(contracts.members("Engines"))
    .map((slot) => contractEntry(`Slot ${slot.name}`, slot, contracts))
    .join("\n\n");
}

function contractEntry(title: string, member: ContractMember, contracts: Contracts): string {
  const owner = member.owner === "kernel" ? "The kernel" : `Plugin ${code(member.owner)}`;
  const verb = title.startsWith("Slot") ? "opens it" : "provides it";
  const parts = [
    `### ${title}`,
    `${descriptionOf(member, contracts)} ${owner} ${verb}.`,
    shapeOf(member, contracts),
    example(title, member, contracts),
  ];
  return parts.join("\n\n");
}

/** The members of an interface, or the text of any other type. */
function shapeOf(member: ContractMember, contracts: Contracts): string {
  const { members = [], alias = null } = contracts.typeOf(member) ?? {};
  const named = member.type === undefined ? "" : textOf(member.type);
  if (members.length > 0) return `Members of ${code(named)}:\n\n${memberList(members)}`;
  return `Type: ${code(alias ?? named)}.`;
}

function descriptionOf(member: ContractMember, contracts: Contracts): string {
  const type = contracts.typeOf(member);
  return [type?.comment.text ?? "", member.comment.text].filter((text) => text !== "").join(" ");
}

/** The example of the member, else of its type. */
function example(name: string, member: ContractMember, contracts: Contracts): string {
  const own = member.comment.example ?? contracts.typeOf(member)?.comment.example ?? null;
  return exampleBlock(name, { text: descriptionOf(member, contracts), example: own });
}

function byName(members: readonly ContractMember[]): ContractMember[] {
  return [...members].sort((a, b) => (a.name < b.name ? -1 : 1));
}
