import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { Field, JsonSchema, SettingChange } from "../../api/answers.js";
import { t as app, texts } from "../../app/texts.js";
import { done } from "../../app/toasts.js";
import de from "../../locales/de/settings.json";
import en from "../../locales/en/settings.json";
import { Failure } from "../../parts/loading.js";
import { FieldInput } from "../../parts/fields/field-input.js";
import { plainField } from "../../parts/fields/field-props.js";

const t = texts({ en, de });

type Changes = ReadonlyMap<string, unknown>;

/** A form edits a file, or the block of a plugin. */
interface EditedSettings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema;
  /** Key of the block in its file, as problems name it; empty for a whole file. */
  readonly at?: string;
  /** Needed to change it. */
  readonly permission: string;
}
interface FormProps {
  of: EditedSettings;
  /** @throws ApiError for wrong values and changed files. */
  onSave(changes: readonly SettingChange[]): Promise<unknown>;
  onReload(): void;
}

/** The form of settings that a schema describes. */
export function SettingsForm({ of, onSave, onReload }: FormProps): VNode {
  const [changes, setChanges] = useState<Changes>(new Map());
  const [error, setError] = useState<unknown>(null);
  const [isSaved, setSaved] = useState(false);
  const problems = settingProblems(error, of.at);
  const groups = settingGroups(of.schema, of.values);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  const save = async (): Promise<void> => {
    try {
      const all = [...changes].map(([key, value]) => ({ key, value: value ?? null }));
      await onSave(all);
      setChanges(new Map());
      setError(null);
      setSaved(true);
      done(t("saved"));
      onReload();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Messages
        error={error}
        problems={problems}
        isSaved={isSaved}
        onReload={() => {
          setError(null);
          onReload();
        }}
      />
      {groups.map((group) => (
        <Group
          key={group.name}
          group={group}
          of={of}
          changes={changes}
          problems={problems}
          onChange={(key, value) => setChanges(new Map(changes).set(key, value))}
        />
      ))}
      {may(of.permission) && (
        <div class="save-bar actions">
          <span class="dim">{changes.size === 0 && t("nothing")}</span>
          <button type="submit" class="primary" disabled={changes.size === 0}>
            {changes.size === 0 ? app("save") : t("save", { n: changes.size })}
          </button>
        </div>
      )}
    </form>
  );
}

interface MessagesProps {
  error: unknown;
  problems: readonly SettingProblem[];
  isSaved: boolean;
  /** Loads the settings again after a conflict. */
  onReload(): void;
}

function Messages({ error, problems, isSaved, onReload }: MessagesProps): VNode | null {
  if (error instanceof ApiError && error.status === 409) {
    return (
      <div class="notice warn" role="alert">
        <p>{t("conflict")}</p>
        <button type="button" onClick={onReload}>
          {t("conflict.reload")}
        </button>
      </div>
    );
  }
  if (error !== null) return <Problems error={error} problems={problems} />;
  if (!isSaved) return null;
  return (
    <p class="notice warn" role="status">
      {t("saved.restart")}
    </p>
  );
}

interface ProblemsProps {
  error: unknown;
  problems: readonly SettingProblem[];
}

/** All problems, with file and line; those of a shown field stand beside it too. */
function Problems({ error, problems }: ProblemsProps): VNode {
  if (problems.length === 0) return <Failure error={error} />;
  return (
    <div class="notice bad" role="alert">
      <p>{t("rejected")}</p>
      <ul>
        {problems.map(({ place, key, received, message }) => (
          <li key={`${place} ${key}`} class="break">
            {place} <code>{key}</code>: {received !== null && t("received", { received })} {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface GroupProps {
  group: SettingGroup;
  of: EditedSettings;
  changes: Changes;
  problems: readonly SettingProblem[];
  onChange(key: string, value: unknown): void;
}

function Group(props: GroupProps): VNode {
  const { name, settings } = props.group;
  return (
    <section class="card stack" aria-label={name || t("general")}>
      <h2>{name || t("general")}</h2>
      {settings.map((setting) => (
        <Line key={setting.key} setting={setting} {...props} />
      ))}
    </section>
  );
}

interface LineProps extends GroupProps {
  setting: Setting;
}

/** One setting; a changed one says when it takes effect. */
function Line({ setting, of, changes, problems, onChange }: LineProps): VNode {
  const { key, field, choices } = setting;
  const isChanged = changes.has(key);
  const stored = readKey(of.values, key) ?? withoutEmpty(setting.default);
  const value = isChanged ? changes.get(key) : stored;
  return (
    <div class="setting">
      <FieldInput
        field={field}
        value={choices.length > 0 && value !== undefined ? String(value) : value}
        error={findProblem(problems, key)}
        isEditable={may(of.permission)}
        onChange={(next) => {
          const choice = choices.find((one) => String(one) === next);
          onChange(key, choice ?? next);
        }}
      />
      {isChanged && <span class="badge warn">{t("restart")}</span>}
    </div>
  );
}

/** An empty list or map is shown as an empty field. */
function withoutEmpty(value: unknown): unknown {
  const isEmpty = typeof value === "object" && Object.keys(value ?? {}).length === 0;
  return isEmpty ? undefined : value;
}

/** A value that the configuration rejects, by the key of the file. */
interface SettingProblem {
  /** The key below the edited block. */
  readonly key: string;
  /** `site.yaml:3` */
  readonly place: string;
  /** The value as JSON; null when it is missing. */
  readonly received: string | null;
  readonly message: string;
}

/** The problems that a rejected change reports; empty for other failures. `at`: the edited block. */
function settingProblems(error: unknown, at = ""): readonly SettingProblem[] {
  const list = error instanceof ApiError ? error.body["details"] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null || !("key" in one)) return [];
    const { key, file = "", line = 0, received, expected = "", fix = "" }: Found = one;
    const message = [t("expected", { expected }), fix].filter((text) => text !== "").join(" ");
    return [
      {
        key: below(String(key), at),
        place: line > 0 ? `${file}:${line}` : file,
        received: received === undefined ? null : JSON.stringify(received),
        message,
      },
    ];
  });
}

interface Found {
  readonly key: unknown;
  readonly file?: string;
  readonly line?: number;
  readonly received?: unknown;
  readonly expected?: string;
  readonly fix?: string;
}

function below(key: string, at: string): string {
  return at !== "" && key.startsWith(`${at}.`) ? key.slice(at.length + 1) : key;
}

/** The problem of a setting, also one inside its value: `rules[0].pattern` of `rules`. */
function findProblem(problems: readonly SettingProblem[], key: string): string | null {
  const problem = problems.find((one) => {
    const rest = one.key.startsWith(key) ? one.key.slice(key.length) : null;
    return rest === "" || rest?.[0] === "." || rest?.[0] === "[";
  });
  if (problem === undefined) return null;
  return problem.key === key ? problem.message : `${problem.key}: ${problem.message}`;
}

/** One key of a configuration file, with the form control for it. */
interface Setting {
  /** Dotted: `content.dir`. */
  readonly key: string;
  readonly field: Field;
  readonly default: unknown;
  /** Values of the choices, which the control knows as texts. */
  readonly choices: readonly unknown[];
}
/** The settings below one key of the file; those without a group have an empty name. */
interface SettingGroup {
  readonly name: string;
  readonly settings: readonly Setting[];
}

/** The settings that a schema describes, grouped by the keys of the file's top level. */
function settingGroups(
  schema: JsonSchema,
  values: Readonly<Record<string, unknown>>,
): readonly SettingGroup[] {
  const entries = Object.entries(schema.properties ?? {})
    // The same keys as in admin.yaml, unless this file has them.
    .filter(([name]) => name !== "admin" || values["admin"] !== undefined);
  const plain = entries.filter(([, inner]) => inner.properties === undefined);
  const nested = entries.filter(([, inner]) => inner.properties !== undefined);
  const general = plain.map(([name, inner]) => setting(name, inner, isRequired(schema, name)));
  return [
    { name: "", settings: general },
    ...nested.map(([name, inner]) => ({ name, settings: settingsBelow(name, inner) })),
  ].filter(({ settings }) => settings.length > 0);
}

/** The value of a dotted key; undefined when it is not set. */
function readKey(values: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((parent, part) => {
    if (typeof parent !== "object" || parent === null) return undefined;
    return Object.entries(parent).find(([name]) => name === part)?.[1];
  }, values);
}

function settingsBelow(prefix: string, schema: JsonSchema): Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = `${prefix}.${name}`;
    if (inner.properties !== undefined) return settingsBelow(key, inner);
    return [setting(key, inner, isRequired(schema, name))];
  });
}

function isRequired(schema: JsonSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false;
}

function setting(key: string, schema: JsonSchema, required: boolean): Setting {
  const shown = withoutNull(schema);
  const choices = listChoices(shown);
  const field: Field = {
    ...plainField(key, choices.length > 0 ? "select" : toKind(shown), key),
    help: schema.description ?? "",
    required,
    options: choices.map((choice) => ({ value: String(choice), label: String(choice) })),
    min: shown.minimum ?? null,
    max: shown.maximum ?? null,
  };
  return { key, field, default: schema.default, choices };
}

/** The alternative beside null, when there is only one. */
function withoutNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const [type, another] = schema.type.filter((one: string) => one !== "null");
    return another === undefined && typeof type === "string" ? { ...schema, type } : schema;
  }
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const [only] = others;
  return others.length === 1 && only !== undefined ? only : schema;
}

function listChoices(schema: JsonSchema): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum;
  const all = schema.anyOf ?? [];
  const isList = all.length > 0 && all.every((one) => one.const !== undefined);
  return isList ? all.map((one) => one.const) : [];
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "toggle",
  integer: "number",
  number: "number",
};

function toKind({ type, items }: JsonSchema): string {
  if (type === "array") return items?.type === "string" && !items.enum ? "tags" : "yaml";
  return (typeof type === "string" ? KINDS[type] : undefined) ?? "yaml";
}
