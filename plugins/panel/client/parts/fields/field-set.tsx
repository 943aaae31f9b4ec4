import { useSignal } from "@preact/signals";
import type { ComponentType, TargetedKeyboardEvent, VNode } from "preact";
import { useId } from "preact/hooks";
import { t } from "../parts-texts.js";
import { findErrors, isShown, type FieldInputProps, type InnerError } from "./field-props.js";
import type { Field } from "../../api/answers.js";

/** The fields of a form, or of a value inside one. */
export interface FieldSetProps {
  fields: readonly Field[];
  values: Readonly<Record<string, unknown>>;
  errors: readonly InnerError[];
  isEditable: boolean | ((field: Field) => boolean);
  /** Level of the headings of groups. */
  heading: "h2" | "h3" | "h4";
  onChange(name: string, value: unknown): void;
  Input: ComponentType<FieldInputProps>;
}

/** Fields in their groups and tabs; those whose condition is not met are left out. */
export function FieldSet(props: FieldSetProps): VNode {
  const shown = props.fields.filter((field) => isShown(field, props.values));
  const tabs = [...new Set(shown.map(({ tab }) => tab ?? ""))];
  return tabs.length > 1 ? (
    <Tabs {...props} fields={shown} tabs={tabs} />
  ) : (
    <Groups {...props} fields={shown} />
  );
}

interface TabsProps extends FieldSetProps {
  /** Their names; fields without a tab stand in the one with an empty name. */
  tabs: readonly string[];
}

function Tabs({ tabs, ...props }: TabsProps): VNode {
  const { fields, errors } = props;
  const id = useId();
  const chosen = useSignal(tabs[0] ?? "");
  const shown = tabs.includes(chosen.value) ? chosen.value : (tabs[0] ?? "");
  const fieldsIn = (tab: string): readonly Field[] =>
    fields.filter((field) => (field.tab ?? "") === tab);
  const wrong = (tab: string): number =>
    fieldsIn(tab).filter(({ name }) => {
      const { error, inner } = findErrors(errors, name);
      return error !== null || inner.length > 0;
    }).length;
  return (
    <div class="stack">
      <div role="tablist" class="tab-list" aria-label={t("tabs")} onKeyDown={moveTab}>
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => (chosen.value = tab)}
          >
            {tab === "" ? t("general") : tab}
            {wrong(tab) > 0 && <span class="badge bad">{t("wrong", { n: wrong(tab) })}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        <Groups {...props} fields={fieldsIn(shown)} />
      </div>
    </div>
  );
}

function Groups(props: FieldSetProps): VNode {
  const { fields, values, errors, isEditable, onChange, Input, heading: Heading } = props;
  return (
    <div class="stack">
      {fields.map((field, at) => (
        <div key={field.name} class="stack" data-field={field.name}>
          {field.group !== "" && field.group !== fields[at - 1]?.group && (
            <Heading>{field.group}</Heading>
          )}
          <Input
            field={field}
            value={values[field.name]}
            {...findErrors(errors, field.name)}
            isEditable={typeof isEditable === "boolean" ? isEditable : isEditable(field)}
            onChange={(value) => onChange(field.name, value)}
          />
        </div>
      ))}
    </div>
  );
}

function moveTab(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.findIndex((tab) => tab === document.activeElement);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  event.preventDefault();
  next?.focus();
  next?.click();
}
