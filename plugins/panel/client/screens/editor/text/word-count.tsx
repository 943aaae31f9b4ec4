import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { EditSession } from "../saving/edit-session.js";
import { t } from "../editor-texts.js";

const WAIT_MS = 400;
const WORDS_PER_MINUTE = 220;

/** Number of words and time to read, counted when typing pauses. */
export function WordCount({ session }: { session: EditSession }): VNode {
  const revision = session.text.revision.value;
  const [words, setWords] = useState(() => countWords(session.text.body));
  useEffect(() => {
    const timer = setTimeout(() => setWords(countWords(session.text.body)), WAIT_MS);
    return () => clearTimeout(timer);
  }, [revision, session]);
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  return <p class="word-count dim">{t("words", { n: words, minutes })}</p>;
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}
