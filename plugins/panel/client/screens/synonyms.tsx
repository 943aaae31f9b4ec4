import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { t as app, texts } from "../app/texts.js";
import { done } from "../app/toasts.js";
import de from "../locales/de/searches.json";
import en from "../locales/en/searches.json";
import { Failure, Loading, useLoaded } from "../parts/loading.js";
import { SavingForm } from "../parts/forms.js";
import { call, type Item, type Body, type Answer } from "../api/request.js";
import { may } from "../api/session.js";

type SuggestedSynonym = Item<"GET /search/synonyms/suggestions">;
type SynonymLists = Body<"PUT /search/synonyms">["lists"];
type Synonyms = Answer<"GET /search/synonyms">;

const t = texts({ en, de });

interface SynonymsPartProps {
  /** Starts a new group; empty: none. */
  word: string;
}

/** Edits synonyms and stop words; `word` starts a new group. */
export function SynonymsPart({ word }: SynonymsPartProps): VNode {
  const synonyms = useLoaded("synonyms", () => call("GET /search/synonyms"));
  const [lang, setLang] = useState("");
  return (
    <Loading of={synonyms}>
      {(loaded) => (
        <>
          <p class="dim">{t("synonyms.where", { path: loaded.path })}</p>
          {loaded.problem !== null && (
            <p class="notice bad" role="alert">
              {t("synonyms.broken", { problem: loaded.problem })}
            </p>
          )}
          {loaded.languages.length > 1 && (
            <label class="field">
              {t("synonyms.lang")}
              <select value={lang} onChange={(event) => setLang(event.currentTarget.value)}>
                <option value="">{t("synonyms.all")}</option>
                {loaded.languages.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            </label>
          )}
          <SuggestedSynonyms of={loaded} onDone={synonyms.reload} />
          <Form
            key={`${lang} ${loaded.hash}`}
            of={loaded}
            lang={lang}
            word={word}
            onDone={synonyms.reload}
          />
        </>
      )}
    </Loading>
  );
}

interface FormProps {
  of: Synonyms;
  lang: string;
  word: string;
  onDone(): void;
}

function Form({ of, lang, word, onDone }: FormProps): VNode {
  const [draft, setDraft] = useState<SynonymDraft>(() => formatLists(of.lists[lang], word));
  const isEditable = may("config.update") && of.problem === null;
  const save = async (): Promise<void> => {
    await call("PUT /search/synonyms", { body: { lang, lists: listsOf(draft) }, ifMatch: of.hash });
    done(t("synonyms.saved"));
    onDone();
  };
  return (
    <SavingForm class="card stack" label={t("part.synonyms")} onSubmit={save}>
      {(["groups", "oneWay", "stop"] as const).map((name) => (
        <label key={name} class="field">
          {t(`synonyms.${name}`)}
          <textarea
            rows={name === "stop" ? 3 : 6}
            dir="auto"
            readOnly={!isEditable}
            value={draft[name]}
            onInput={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
          />
          <span class="help">{t(`synonyms.${name}.help`)}</span>
        </label>
      ))}
      {isEditable && (
        <div class="actions">
          <button type="submit" class="primary">
            {app("save")}
          </button>
        </div>
      )}
    </SavingForm>
  );
}

/** The lists as typed: one group a line, words separated by commas. */
interface SynonymDraft {
  readonly groups: string;
  /** `word = other, another` */
  readonly oneWay: string;
  readonly stop: string;
}

/** Lists as text; a word starts a new group unless a group has it. */
function formatLists(lists: SynonymLists | undefined, word: string): SynonymDraft {
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
function listsOf({ groups, oneWay, stop }: SynonymDraft): SynonymLists {
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
function withSynonym(lists: SynonymLists | undefined, word: string, meant: string): SynonymLists {
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

interface SuggestedProps {
  of: Synonyms;
  /** Called when a suggestion was saved. */
  onDone(): void;
}

/** Words that readers searched without a result, each with buttons that save a synonym. */
function SuggestedSynonyms({ of, onDone }: SuggestedProps): VNode {
  const loaded = useLoaded(`suggested-synonyms ${of.hash}`, () =>
    call("GET /search/synonyms/suggestions"),
  );
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
                <Suggestion key={item.word} of={of} item={item} onDone={onDone} />
              ))}
            </ul>
          </section>
        )
      }
    </Loading>
  );
}

interface SuggestionProps extends SuggestedProps {
  item: SuggestedSynonym;
}

function Suggestion({ of, item, onDone }: SuggestionProps): VNode {
  const { word, searches: n, candidates } = item;
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const isEditable = may("config.update") && of.problem === null;
  const accept = async (meant: string): Promise<void> => {
    setSaving(true);
    try {
      await call("PUT /search/synonyms", {
        body: { lang: "", lists: withSynonym(of.lists[""], word, meant) },
        ifMatch: of.hash,
      });
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
