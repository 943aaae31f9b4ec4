import type { Random } from "./random.js";

/** Words of the texts; the comparison searches for each. */
export const WORDS = ["apple", "pear", "quince", "plum", "fig", "lime", "melon", "cherry"] as const;

const FIELDS: readonly ((random: Random) => string)[] = [
  (random) => `order: ${random.below(5)}`,
  (random) => `slug: ${random.pick(["one", "two", "three"])}`,
  (random) => `taxonomy: { tag: [${random.pick(WORDS)}, ${random.pick(WORDS)}] }`,
  (random) => `published: ${random.chance(0.5)}`,
  (random) => `status: ${random.pick(["draft", "published", "archived"])}`,
  (random) => `publish_date: 2026-03-${String(1 + random.below(28)).padStart(2, "0")}`,
  (random) => `unpublish_date: 2026-03-${String(1 + random.below(28)).padStart(2, "0")}`,
  (random) => `date: 2025-0${1 + random.below(9)}-11`,
  (random) => `routes: { aliases: [/alias-${random.below(4)}] }`,
  (random) => `visible: ${random.chance(0.5)}`,
  (random) => `routable: ${random.chance(0.8)}`,
  (random) => `roles: ${random.pick(["member", "{ some: x }"])}`,
  (random) => `summary: ${random.pick(WORDS)}`,
  () => "title: [",
];

/** The text of a page, sometimes an invalid one. */
export function pageText(random: Random): string | Buffer {
  if (random.chance(0.03)) return "";
  if (random.chance(0.02)) return Buffer.from([0x23, 0x20, 0xe9]);
  const fields = random.chance(0.8) ? [`title: ${random.pick(WORDS)} ${random.below(9)}`] : [];
  while (random.chance(0.35)) fields.push(random.pick(FIELDS)(random));
  const links = `[link](../${random.pick(WORDS)}) ![picture](pic.png)`;
  const body = `# ${random.pick(WORDS)}\n\nA ${random.pick(WORDS)} and a ${random.pick(WORDS)}.\n\n${links}\n`;
  return fields.length === 0 ? body : `---\n${fields.join("\n")}\n---\n${body}`;
}
