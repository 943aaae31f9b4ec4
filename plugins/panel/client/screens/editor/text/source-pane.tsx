import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Loading, useLoaded } from "../../../parts/loading.js";
import { languageName } from "../../../app/texts.js";
import { t, TRANSLATED_FROM } from "../panes/languages.js";
import type { EditSession } from "../saving/edit-session.js";
import { findBlock, splitBlocks } from "./text-blocks.js";
import { call, request } from "../../../api/request.js";

interface Original {
  readonly lang: string;
  readonly stamp: string | null;
  readonly isOutdated: boolean;
  readonly title: string;
  readonly blocks: readonly string[];
}

interface SourcePaneProps {
  session: EditSession;
  /** Line of the cursor in the text, from 1. */
  line: Signal<number>;
}

/** The original beside its translation; it follows the cursor block by block. */
export default function SourcePane(props: SourcePaneProps): VNode {
  const { session } = props;
  const loaded = useLoaded(session.live.value.hash, () => loadOriginal(session.path));
  return (
    <Loading of={loaded}>
      {(original) =>
        original === null ? (
          <p class="dim">{t("none")}</p>
        ) : (
          <Shown {...props} original={original} />
        )
      }
    </Loading>
  );
}

interface ShownProps {
  session: EditSession;
  /** Line of the cursor in the text, from 1. */
  line: Signal<number>;
  original: Original;
}

function Shown({ session, line, original }: ShownProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const current = findBlock(session.text.body, line.value);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const { values } = session.text.frontMatter.value;
  const isOutdated = original.isOutdated && values?.[TRANSLATED_FROM] !== original.stamp;
  return (
    <>
      {isOutdated && (
        <p class="notice warn">
          {t("outdated")}{" "}
          <button
            type="button"
            class="link"
            onClick={() => session.set(TRANSLATED_FROM, original.stamp)}
          >
            {t("upToDate")}
          </button>
        </p>
      )}
      <h3 lang={original.lang}>{original.title}</h3>
      <div
        ref={list}
        class="source-text"
        role="region"
        tabIndex={0}
        lang={original.lang}
        dir="auto"
        aria-label={t("source.lang", { name: languageName(original.lang) })}
      >
        {original.blocks.map((block, at) => (
          <p key={at} class={at === current ? "is-current" : undefined}>
            {block}
          </p>
        ))}
      </div>
    </>
  );
}

async function loadOriginal(path: string): Promise<Original | null> {
  const { items, stamp, lang } = await call("GET /translations/*path", {
    params: { path },
    isBackground: true,
  });
  const original = items.find(({ state }) => state === "original");
  if (original === undefined || original.lang === lang) return null;
  const { data } = await request("GET /pages/*path", { params: { path: original.sourcePath } });
  const translation = items.find((item) => item.lang === lang);
  return {
    lang: original.lang,
    stamp,
    title: original.title ?? "",
    isOutdated: translation?.state === "outdated",
    blocks: splitBlocks(data.body),
  };
}
