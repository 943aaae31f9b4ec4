import { Redo2, Undo2 } from "lucide";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../../app/texts.js";
import { boot } from "../../boot.js";
import de from "../../locales/de/cards.json";
import en from "../../locales/en/cards.json";
import { fieldErrors, lazy } from "../../parts/loading.js";
import PagePlace from "./panes/page-place.js";
import { FieldInput } from "../../parts/fields/field-input.js";
import { FieldScope, plainField } from "../../parts/fields/field-props.js";
import { FieldSet } from "../../parts/fields/field-set.js";
import { Icon } from "../../parts/icon.js";
import { t } from "./editor-texts.js";
import type { EditSession } from "./saving/edit-session.js";
import { call } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { Field, PageType } from "../../api/answers.js";

const SocialCard = lazy(() => import("./panes/social-card.js"));
const cardText = texts({ en, de });

/** Fields of pages whose type has no blueprint. */
const FREE_FIELDS: readonly Field[] = [
  plainField("date", "date", t("field.date")),
  plainField("summary", "textarea", t("field.summary")),
  plainField("tags", "tags", t("field.tags")),
];

interface PageFormProps {
  session: EditSession;
  /** Null: the page's template has no page type. */
  type: PageType | null;
  /** Name of the page type, whether the site has it or not. */
  template: string;
}

/** The front matter as a form: the fields of the page type, then everything else as YAML. */
export default function PageForm({ session, type, template }: PageFormProps): VNode {
  const { values } = session.text.frontMatter.value;
  const fields = (type?.fields ?? FREE_FIELDS).filter(({ name }) => name !== "title");
  return (
    <div class="page-form stack" onKeyDown={(event) => undoByKey(event, session)}>
      <UndoButtons session={session} />
      <PagePlace session={session} template={template} />
      {values !== null && (
        <FieldScope.Provider value={{ pagePath: session.path }}>
          <FieldSet
            fields={fields}
            values={values}
            errors={fieldErrors(session.problem.value)}
            isEditable={may("pages.update", session.live.value)}
            heading="h3"
            Input={FieldInput}
            onChange={(name, value) => session.set(name, value)}
          />
        </FieldScope.Provider>
      )}
      <SearchCard session={session} />
      <FrontMatterText session={session} />
    </div>
  );
}

interface SessionProps {
  session: EditSession;
}

function UndoButtons({ session }: SessionProps): VNode | null {
  const { canUndo, canRedo } = session.text.edits;
  if (!canUndo.value && !canRedo.value) return null;
  return (
    <div class="row" role="group" aria-label={t("fields.undo")}>
      <button type="button" disabled={!canUndo.value} onClick={() => session.step("undo")}>
        <Icon of={Undo2} />
        {t("format.undo")}
      </button>
      <button type="button" disabled={!canRedo.value} onClick={() => session.step("redo")}>
        <Icon of={Redo2} />
        {t("format.redo")}
      </button>
    </div>
  );
}

/** Ctrl Z takes the last change of a field back; inside a text, the browser undoes typing. */
function undoByKey(event: KeyboardEvent, session: EditSession): void {
  const { target } = event;
  const isText =
    target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea");
  const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey);
  if (isText || !isUndo) return;
  event.preventDefault();
  session.step(event.shiftKey ? "redo" : "undo");
}

/** The whole front matter as text: every key can be edited, those without a field too. */
function FrontMatterText({ session }: SessionProps): VNode {
  return (
    <details class="front-matter">
      <summary>{t("yaml.title")}</summary>
      <label>
        <span class="help">{t("yaml.help")}</span>
        <textarea
          class="code"
          spellcheck={false}
          rows={10}
          readOnly={!may("pages.update", session.live.value)}
          aria-label={t("yaml.title")}
          value={session.text.yaml.value}
          onChange={(event) => session.setYaml(event.currentTarget.value)}
        />
      </label>
    </details>
  );
}
const MAX_TITLE = 60;
const MAX_DESCRIPTION = 160;
/** Characters of the text of which the beginning is read. */
const MAX_BEGINNING = 4_000;
/** Time without a change after which it is read again, in ms. */
const WAIT_MS = 800;

/** Shows the page as a search engine does, and names what is missing or too long. */
function SearchCard({ session }: SessionProps): VNode | null {
  const { values } = session.text.frontMatter.value;
  const [isOpen, setOpen] = useState(false);
  if (values === null) return null;
  const title = `${String(values["title"] ?? "")} · ${boot.title}`;
  const description = findDescription(values);
  const advice = [
    title.length > MAX_TITLE ? cardText("longTitle", { n: title.length, most: MAX_TITLE }) : "",
    description === "" ? cardText("noDescription") : "",
    description.length > MAX_DESCRIPTION
      ? cardText("longDescription", { n: description.length, most: MAX_DESCRIPTION })
      : "",
  ].filter((text) => text !== "");
  return (
    <section class="search-card" aria-label={cardText("search")}>
      <h3>{cardText("search")}</h3>
      <div class="search-result">
        <small class="dim">{`${location.host}${session.live.value.route}`}</small>
        <strong>{title}</strong>
        <span class="dim">
          {description === "" ? <TextBeginning session={session} /> : description}
        </span>
      </div>
      {advice.map((text) => (
        <p key={text} class="help">
          {text}
        </p>
      ))}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{cardText("social")}</summary>
        {isOpen && <SocialCard session={session} />}
      </details>
    </section>
  );
}

/** Looks for it where the theme does. */
function findDescription({ metadata, summary }: Readonly<Record<string, unknown>>): string {
  const fields = typeof metadata === "object" && metadata !== null ? { ...metadata } : {};
  const description = "description" in fields ? fields.description : summary;
  return typeof description === "string" ? description : "";
}

/** The beginning of the text as the server reads it, which is the description of a page without one. */
function TextBeginning({ session }: SessionProps): VNode {
  const { path } = session;
  const revision = session.text.revision.value;
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const load = (): void => {
      const markdown = session.text.body.slice(0, MAX_BEGINNING);
      void call("POST /render-markdown", { body: { path, markdown } }).then(
        (rendered) => isCurrent && setText(rendered.text),
        // Without a connection, what was shown stays.
        () => undefined,
      );
    };
    const timer = setTimeout(load, text === null ? 0 : WAIT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [revision, path]);
  return <>{(text ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION)}</>;
}
