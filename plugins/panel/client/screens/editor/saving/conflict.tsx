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
  compareVersions,
  mergedVersions,
  type Choices,
  type Comparison,
  type FieldConflict,
} from "./merge-fields.js";
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
      <p>{t("conflict.why", { reason: conflict.error })}</p>
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

/** Front matter that cannot be read is part of the merged text. */
const WHOLE_TEXT: Pick<Comparison, "conflicts" | "hasBody"> = { conflicts: [], hasBody: true };

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
          <pre tabIndex={0} role="region" aria-label={title}>
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
  const body = useSignal(comparison?.body ?? conflict.proposal ?? conflict.yours);
  const choices = useSignal<Choices>({});
  const { conflicts, hasBody } = comparison ?? WHOLE_TEXT;
  const hasMarks = hasBody && /^(?:<{7}|>{7})/m.test(body.value);
  const isChosen = conflicts.every(({ key }) => choices.value[key] !== undefined);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(
          comparison === null
            ? body.value
            : mergedVersions(conflict, comparison, { choices: choices.value, body: body.value }),
        );
      }}
    >
      {conflicts.map((one) => (
        <FieldChoice key={one.key} one={one} field={findField(type, one.key)} choices={choices} />
      ))}
      {hasBody && <MergedBody body={body} hasMarks={hasMarks} />}
      <div class="actions">
        {!isChosen && <span class="help">{t("conflict.choose")}</span>}
        <button type="submit" class="primary" disabled={hasMarks || !isChosen}>
          {app("save")}
        </button>
      </div>
    </form>
  );
}

interface MergedBodyProps {
  body: Signal<string>;
  /** True while marks of overlapping lines are in the text. */
  hasMarks: boolean;
}

function MergedBody({ body, hasMarks }: MergedBodyProps): VNode {
  return (
    <label>
      {t("conflict.merged")}
      <textarea
        class="code"
        rows={12}
        spellcheck={false}
        value={body.value}
        onInput={(event) => (body.value = event.currentTarget.value)}
      />
      {hasMarks && <span class="help">{t("conflict.marks")}</span>}
    </label>
  );
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
