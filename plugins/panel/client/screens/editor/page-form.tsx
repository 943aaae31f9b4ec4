import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Field, PageType } from "../../api/page-types.js";
import { may } from "../../api/session.js";
import { fieldErrors } from "../../parts/failure.js";
import { FieldInput } from "../../parts/fields/field-input.js";
import { isShown } from "../../parts/fields/is-shown.js";
import { plainField } from "../../parts/fields/plain-field.js";
import type { EditSession } from "./edit-session.js";
import { t } from "./editor-texts.js";
import { SearchCard } from "./search-card.js";

/** Fields of pages whose type has no blueprint. */
const FREE_FIELDS: readonly Field[] = [
  plainField("date", "date", t("field.date")),
  plainField("description", "textarea", t("field.description")),
  plainField("tags", "tags", t("field.tags")),
];

/** The front matter as a form: the fields of the page type, then everything else as YAML. */
export default function PageForm({
  session,
  type,
}: {
  session: EditSession;
  type: PageType | null;
}): VNode {
  const { values } = session.text.frontMatter.value;
  const fields = (type?.fields ?? FREE_FIELDS).filter(({ name }) => name !== "title");
  const tab = useSignal("");
  const tabs = [...new Set(fields.map((field) => field.tab))];
  const shownTab = tabs.includes(tab.value) ? tab.value : (tabs[0] ?? "");
  return (
    <div class="page-form stack">
      {tabs.length > 1 && (
        <div class="row" role="group" aria-label={t("tab.fields")}>
          {tabs.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === shownTab}
              onClick={() => (tab.value = name)}
            >
              {name === "" ? t("fields.general") : name}
            </button>
          ))}
        </div>
      )}
      {values !== null && (
        <Fields session={session} fields={fields.filter((field) => field.tab === shownTab)} />
      )}
      <SearchCard session={session} />
      <FrontMatterText session={session} />
    </div>
  );
}

function Fields({ session, fields }: { session: EditSession; fields: readonly Field[] }): VNode {
  const values = session.text.frontMatter.value.values ?? {};
  const errors = fieldErrors(session.problem.value);
  const shown = fields.filter((field) => isShown(field, values));
  return (
    <>
      {shown.map((field, at) => (
        <div key={field.name} class="stack">
          {field.group !== "" && field.group !== shown[at - 1]?.group && <h3>{field.group}</h3>}
          <FieldInput
            field={field}
            value={values[field.name]}
            error={errors.find((one) => one.field === field.name)?.message ?? null}
            isEditable={may("pages.update")}
            onChange={(value) => session.set(field.name, value)}
          />
        </div>
      ))}
    </>
  );
}

/** The whole front matter as text: every key can be edited, those without a field too. */
function FrontMatterText({ session }: { session: EditSession }): VNode {
  return (
    <details class="front-matter">
      <summary>{t("yaml.title")}</summary>
      <label>
        <span class="help">{t("yaml.help")}</span>
        <textarea
          class="code"
          spellcheck={false}
          rows={10}
          readOnly={!may("pages.update")}
          aria-label={t("yaml.title")}
          value={session.text.yaml.value}
          onChange={(event) => session.setYaml(event.currentTarget.value)}
        />
      </label>
    </details>
  );
}
