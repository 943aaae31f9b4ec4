import { useSignal, type Signal } from "@preact/signals";
import type { VNode } from "preact";
import { t as app } from "../../../app/texts.js";
import { attempt } from "../../../app/toasts.js";
import { Dialog } from "../../../parts/dialog.js";
import { FieldInput } from "../../../parts/fields/field-input.js";
import { FieldScope, plainField } from "../../../parts/fields/field-props.js";
import { t } from "../editor-texts.js";
import { resolve } from "../publish/page-actions.js";
import type { EditSession } from "./edit-session.js";
import {
  chosenText,
  compareTexts,
  compareVersions,
  mergedVersions,
  type Choices,
  type FieldConflict,
  type PlaceChoice,
} from "./merge-fields.js";
import { type MergePart, toSentence } from "#lib/text";
import type { SaveConflict as Conflict } from "../../../../../admin/browser-contract.js";
import type { Field, PageType } from "../../../api/answers.js";

interface ConflictViewProps {
  session: EditSession;
  /** Null: the page's template has no page type. */
  type: PageType | null;
  onClose(): void;
}

/** Two versions of a page: choose one, or merge them field by field. Neither is lost before. */
export default function ConflictView(props: ConflictViewProps): VNode | null {
  const { session, onClose } = props;
  const conflict = session.conflict.value;
  if (conflict === null) return null;
  const choose = (text: string): void =>
    void attempt(() => session.act(() => resolve(session, text)));
  return (
    <Dialog title={t("conflict.title")} onClose={onClose} wide>
      <p>{t("conflict.why", { reason: toSentence(conflict.error) })}</p>
      <details class="conflict-whole">
        <summary>{t("conflict.whole")}</summary>
        <Whole conflict={conflict} onChoose={choose} />
      </details>
      <FieldScope.Provider value={{ pagePath: session.path }}>
        <Merge {...props} conflict={conflict} onChoose={choose} />
      </FieldScope.Provider>
    </Dialog>
  );
}

interface Choosing {
  conflict: Conflict;
  onChoose(text: string): void;
}

/** Both files, to take one of them. */
function Whole({ conflict, onChoose }: Choosing): VNode {
  const versions = [
    [t("conflict.yours"), t("conflict.useYours"), conflict.yours],
    [t("conflict.theirs"), t("conflict.useTheirs"), conflict.theirs ?? ""],
  ] as const;
  return (
    <div class="conflict-columns">
      {versions.map(([title, action, text]) => (
        <section key={title} class="stack">
          <h3>{title}</h3>
          <pre tabIndex={0} role="region" aria-label={t("conflict.wholeOf", { version: title })}>
            {text}
          </pre>
          <button type="button" onClick={() => onChoose(text)}>
            {action}
          </button>
        </section>
      ))}
    </div>
  );
}

interface MergeProps extends Choosing {
  /** Null: the page's template has no page type. */
  type: PageType | null;
}

function Merge({ conflict, type, onChoose }: MergeProps): VNode {
  const comparison = compareVersions(conflict);
  const conflicts = comparison?.conflicts ?? [];
  const parts = comparison?.body ?? compareTexts(conflict);
  const choices = useSignal<Choices>({});
  const places = useSignal<Places>([]);
  // What was typed into the merged text; null: what follows from the choices.
  const typed = useSignal<string | null>(null);
  const merged = chosenText(parts, places.value);
  const body = merged === null ? null : (typed.value ?? merged);
  const isChosen = conflicts.every(({ key }) => choices.value[key] !== undefined);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (body === null) return;
        onChoose(
          comparison === null
            ? body
            : mergedVersions(conflict, comparison, { choices: choices.value, body }),
        );
      }}
    >
      {conflicts.map((one) => (
        <FieldChoice key={one.key} one={one} field={findField(type, one.key)} choices={choices} />
      ))}
      <PlaceChoices
        parts={parts}
        places={places}
        onChange={() => {
          typed.value = null;
        }}
      />
      {parts.length > 0 && body !== null && (
        <label>
          {t("conflict.merged")}
          <textarea
            class="code"
            rows={8}
            spellcheck={false}
            value={body}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
      )}
      <div class="actions">
        {(body === null || !isChosen) && <span class="help">{t("conflict.choose")}</span>}
        <button type="submit" class="primary" disabled={body === null || !isChosen}>
          {app("save")}
        </button>
      </div>
    </form>
  );
}

/** The choice of each place, in their order. */
type Places = readonly (PlaceChoice | undefined)[];

interface PlaceChoicesProps {
  parts: readonly MergePart[];
  places: Signal<Places>;
  onChange(): void;
}

/** Lines around a place that are shown with it. */
const LINES_AROUND = 2;

/** The places of the text that both have changed, each with both versions and a choice. */
function PlaceChoices({ parts, places, onChange }: PlaceChoicesProps): VNode {
  const found = parts.flatMap((part, at) => (part.kind === "conflict" ? [{ part, at }] : []));
  const choose = (place: number, choice: PlaceChoice): void => {
    places.value = found.map((_one, index) => (index === place ? choice : places.value[index]));
    onChange();
  };
  return (
    <>
      {found.map(({ part, at }, place) => (
        <fieldset key={at} class="field conflict-field">
          <legend>{t("conflict.place", { at: place + 1, of: found.length })}</legend>
          <Around text={around(parts[at - 1], -LINES_AROUND)} />
          <div class="conflict-columns">
            <Version side="yours" text={part.ours} />
            <Version side="theirs" text={part.theirs} />
          </div>
          <Around text={around(parts[at + 1], LINES_AROUND)} />
          <div class="row">
            {(["yours", "theirs", "both"] as const).map((choice) => (
              <label key={choice} class="inline">
                <input
                  type="radio"
                  name={`place-${place}`}
                  checked={places.value[place] === choice}
                  onChange={() => choose(place, choice)}
                />
                {t(`conflict.take.${choice}`)}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </>
  );
}

interface VersionProps {
  side: "yours" | "theirs";
  /** The lines of this version. */
  text: string;
}

function Version({ side, text }: VersionProps): VNode {
  const title = t(`conflict.${side}`);
  return (
    <section class="stack-small">
      <h3>{title}</h3>
      {text.trim() === "" ? (
        <p class="dim">{t(text === "" ? "conflict.nothing" : "conflict.blank")}</p>
      ) : (
        <pre tabIndex={0} role="region" aria-label={title}>
          {text}
        </pre>
      )}
    </section>
  );
}

interface AroundProps {
  text: string;
}

function Around({ text }: AroundProps): VNode | null {
  return text.trim() === "" ? null : <pre class="dim conflict-around">{text}</pre>;
}

/** The first lines of a part, or with a negative number its last ones. */
function around(part: MergePart | undefined, lines: number): string {
  if (part?.kind !== "merged") return "";
  const all = part.text.trim().split(/\r?\n/);
  return (lines < 0 ? all.slice(lines) : all.slice(0, lines)).join("\n");
}

interface FieldChoiceProps {
  one: FieldConflict;
  field: Field;
  choices: Signal<Choices>;
}

/** Both values of a field, as its control shows them. */
function FieldChoice({ one, field, choices }: FieldChoiceProps): VNode {
  const { key } = one;
  return (
    <fieldset class="field conflict-field">
      <legend>{field.label}</legend>
      <div class="conflict-columns">
        {(["yours", "theirs"] as const).map((side) => (
          <div key={side} class="stack">
            <label class="inline">
              <input
                type="radio"
                name={`choice-${key}`}
                checked={choices.value[key] === side}
                onChange={() => (choices.value = { ...choices.value, [key]: side })}
              />
              {t(`conflict.${side}`)}
            </label>
            <FieldInput
              field={field}
              value={one[side]}
              error={null}
              isEditable={false}
              onChange={() => undefined}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** The field of a key; keys without one are shown as text. */
function findField(type: PageType | null, key: string): Field {
  const field = type?.fields.find(({ name }) => name === key);
  return field ?? plainField(key, "data", key);
}
