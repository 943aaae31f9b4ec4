import type { VNode } from "preact";
import { useState } from "preact/hooks";
import {
  suggestedSynonyms,
  writeSynonyms,
  type SuggestedSynonym,
  type Synonyms,
} from "../../api/settings/search.js";
import { may } from "../../api/session.js";
import { done } from "../../app/toasts.js";
import { Failure } from "../../parts/failure.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./searches-texts.js";
import { withSynonym } from "./synonym-text.js";

interface SuggestedProps {
  of: Synonyms;
  /** Called when a suggestion was saved. */
  onDone(): void;
}

/** Words that readers searched without a result, each with buttons that save a synonym. */
export function SuggestedSynonyms({ of, onDone }: SuggestedProps): VNode {
  const loaded = useLoaded(`suggested-synonyms ${of.hash}`, suggestedSynonyms);
  return (
    <Loading of={loaded}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="dim">{t("suggested.none")}</p>
        ) : (
          <section class="card stack-small" aria-labelledby="suggested-synonyms">
            <h2 id="suggested-synonyms">{t("suggested.title")}</h2>
            <p class="dim">{t("suggested.why")}</p>
            <ul class="stack-small">
              {items.map((item) => (
                <Suggested key={item.word} {...{ of, item, onDone }} />
              ))}
            </ul>
          </section>
        )
      }
    </Loading>
  );
}

function Suggested({ of, item, onDone }: SuggestedProps & { item: SuggestedSynonym }): VNode {
  const { word, searches: n, candidates } = item;
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const isEditable = may("config.update") && of.problem === null;
  const accept = async (meant: string): Promise<void> => {
    setSaving(true);
    try {
      await writeSynonyms("", withSynonym(of.lists[""], word, meant), of.hash);
      done(t("suggested.saved", { word, meant }));
      onDone();
    } catch (failure) {
      setError(failure);
      setSaving(false);
    }
  };
  return (
    <li>
      {error !== null && <Failure error={error} />}
      <span class="row">
        <span class="break">{t("suggested.item", { word, n })}</span>
        {candidates.map((meant) =>
          isEditable ? (
            <button
              key={meant}
              type="button"
              disabled={isSaving}
              aria-label={t("suggested.accept", { word, meant })}
              onClick={() => void accept(meant)}
            >
              {meant}
            </button>
          ) : (
            <strong key={meant}>{meant}</strong>
          ),
        )}
      </span>
    </li>
  );
}
