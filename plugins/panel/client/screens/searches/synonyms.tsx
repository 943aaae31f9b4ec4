import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { readSynonyms, writeSynonyms, type Synonyms } from "../../api/settings/search.js";
import { may } from "../../api/session.js";
import { t as app } from "../../app/app-texts.js";
import { done } from "../../app/toasts.js";
import { Loading } from "../../parts/loading.js";
import { SavingForm } from "../../parts/saving-form.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./searches-texts.js";
import { SuggestedSynonyms } from "./suggested-synonyms.js";
import { listsOf, textOf, type SynonymDraft } from "./synonym-text.js";

/** Edits synonyms and stop words; `word` starts a new group. */
export function SynonymsPart({ word }: { word: string }): VNode {
  const synonyms = useLoaded("synonyms", readSynonyms);
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
            {...{ of: loaded, lang, word }}
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
  const [draft, setDraft] = useState<SynonymDraft>(() => textOf(of.lists[lang], word));
  const isEditable = may("config.update") && of.problem === null;
  const save = async (): Promise<void> => {
    await writeSynonyms(lang, listsOf(draft), of.hash);
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
