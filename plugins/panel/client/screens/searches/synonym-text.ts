import type { SynonymLists } from "../../api/settings/search.js";
import { t } from "./searches-texts.js";

/** The lists as typed: one group a line, words separated by commas. */
export interface SynonymDraft {
  readonly groups: string;
  /** `word = other, another` */
  readonly oneWay: string;
  readonly stop: string;
}

/** Lists as text; a word starts a new group unless a group has it. */
export function textOf(lists: SynonymLists | undefined, word: string): SynonymDraft {
  const { groups = [], one_way: oneWay = {}, stop = [] } = lists ?? {};
  const isKnown = groups.some((group) => group.includes(word));
  const lines = groups.map((group) => group.join(", "));
  return {
    groups: (word === "" || isKnown ? lines : [...lines, `${word}, `]).join("\n"),
    oneWay: Object.entries(oneWay)
      .map(([name, others]) => `${name} = ${others.join(", ")}`)
      .join("\n"),
    stop: stop.join(", "),
  };
}

/** The lists of a text. @throws Error for a line without an equals sign. */
export function listsOf({ groups, oneWay, stop }: SynonymDraft): SynonymLists {
  const pairs = lines(oneWay).map((line) => {
    const at = line.indexOf("=");
    if (at < 1) throw new Error(t("synonyms.noEquals", { line }));
    return [line.slice(0, at).trim(), words(line.slice(at + 1))] as const;
  });
  return {
    groups: lines(groups).map(words),
    one_way: Object.fromEntries(pairs),
    stop: lines(stop).flatMap(words),
  };
}

/** Lists in which one word also finds another. */
export function withSynonym(
  lists: SynonymLists | undefined,
  word: string,
  meant: string,
): SynonymLists {
  const { groups = [], one_way: oneWay = {}, stop = [] } = lists ?? {};
  const others = new Set([...(oneWay[word] ?? []), meant]);
  return { groups, one_way: { ...oneWay, [word]: [...others] }, stop };
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function words(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
