import type { VNode } from "preact";
import { lineChanges } from "#lib/text";
import { readableValue } from "../../../parts/readable-value.js";
import type { Answer } from "../../../api/request.js";
import { t } from "./review-texts.js";
import en from "../../../locales/en/review.json";

type PageChanges = Answer<"GET /drafts/*path/changes">;

interface ChangesProps {
  changes: PageChanges;
}

/** What publishing a text changes: each field and each paragraph before and after. */
export function Changes({ changes }: ChangesProps): VNode {
  const { fields, text, isNew, hasConflict } = changes;
  const isEqual = fields.length === 0 && text.every(({ kind }) => kind === "equal");
  return (
    <div class="stack changes">
      {isNew && <p>{t("new")}</p>}
      {hasConflict && <p class="notice warn">{t("conflict")}</p>}
      {isEqual && !isNew && <p>{t("none")}</p>}
      {fields.length > 0 && (
        <section class="stack-small" aria-label={t("fields")}>
          <h3>{t("fields")}</h3>
          <dl class="changes-fields">
            {fields.map(({ name, label, before, after }) => (
              <div key={name}>
                <dt>{fieldLabel(name, label)}</dt>
                <dd>
                  <Pair before={shown(before)} after={shown(after)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {text.some(({ kind }) => kind === "change") && (
        <section class="stack-small" aria-label={t("text")}>
          <h3>{t("text")}</h3>
          <ol class="changes-text">
            {text.map((place, at) =>
              place.kind === "equal" ? (
                <li key={at} class="dim changes-equal">
                  {t("equal", { n: place.count })}
                </li>
              ) : (
                <li key={at}>
                  <Pair before={place.before} after={place.after} />
                </li>
              ),
            )}
          </ol>
        </section>
      )}
    </div>
  );
}

/** The label of the page type; a key without a field has one of the panel, when it is a usual one. */
function fieldLabel(name: string, label: string): string {
  const key = `field.${name}`;
  return label === name && isKnown(key) ? t(key) : label;
}

function isKnown(key: string): key is keyof typeof en {
  return Object.hasOwn(en, key);
}

/** Null: there is no such value. */
function shown(value: unknown): string | null {
  return value === null || value === ""
    ? null
    : readableValue(value, { yes: t("yes"), no: t("no") });
}

interface PairProps {
  before: string | null;
  after: string | null;
}

/** Two versions of a text; the words that differ are marked. */
function Pair({ before, after }: PairProps): VNode {
  if (before === null || after === null) {
    const kind = before === null ? "added" : "removed";
    return (
      <div class={`change ${kind}`}>
        <span class="change-kind">{t(kind)}</span>
        <span>{kind === "added" ? <ins>{after}</ins> : <del>{before}</del>}</span>
      </div>
    );
  }
  return (
    <div class="change">
      <span class="change-kind">{t("changed")}</span>
      <span>
        {lineChanges(words(before), words(after)).map(({ value, added, removed }, at) => {
          const text = value.join("");
          if (added) return <ins key={at}>{text}</ins>;
          return removed ? <del key={at}>{text}</del> : <span key={at}>{text}</span>;
        })}
      </span>
    </div>
  );
}

/** Words with the blanks after them, so that nothing is lost. */
function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
