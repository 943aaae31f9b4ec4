import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { Field, JsonSchema, SettingChange } from "../../api/answers.js";
import { language, t as app, texts } from "../../app/texts.js";
import { done } from "../../app/toasts.js";
import de from "../../locales/de/settings.json";
import en from "../../locales/en/settings.json";
import { Failure } from "../../parts/loading.js";
import { FieldInput, withCode } from "../../parts/fields/field-input.js";
import { plainField } from "../../parts/fields/field-props.js";
import { isTextMap, MapInput } from "./map-input.js";
import type { SettingText } from "./setting-catalog.js";
import { settingText } from "./setting-texts.js";

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
  /** The plugin whose block it is; absent for a file. */
  readonly plugin?: string;
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
  const [wanted, setWanted] = useState("");
  const all = settingGroups(of);
  const groups = findSettings(all, wanted);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  const save = async (): Promise<void> => {
    try {
      await onSave([...changes].map(([key, value]) => ({ key, value: value ?? null })));
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
      <div class="settings-panes">
        <Index groups={groups} isSearched={wanted !== ""}>
          <input
            type="search"
            aria-label={t("search")}
            placeholder={t("search")}
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
            // Enter looks for a setting here; it does not save.
            onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          />
        </Index>
        <div class="stack">
          {groups.length === 0 && <p role="status">{t("search.none", { wanted })}</p>}
          {groups.map((group) => (
            <Group
              key={group.name}
              group={group}
              of={of}
              changes={changes}
              problems={problems}
              onChange={(key, value) => setChanges(new Map(changes).set(key, value))}
              onKeep={(key) => setChanges(withoutKey(changes, key))}
            />
          ))}
        </div>
      </div>
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

function withoutKey(changes: Changes, key: string): Changes {
  return new Map([...changes].filter(([one]) => one !== key));
}

interface IndexProps {
  groups: readonly SettingGroup[];
  isSearched: boolean;
  /** The field of the search. */
  children: ComponentChildren;
}

/** The sections of the form as links, below the search. */
function Index({ groups, isSearched, children }: IndexProps): VNode {
  const count = groups.reduce((sum, { settings }) => sum + settings.length, 0);
  return (
    <nav class="settings-index" aria-label={t("sections")}>
      {children}
      <p class="visually-hidden" role="status">
        {isSearched && t("search.found", { n: count })}
      </p>
      <ul class="plain-list">
        {groups.map(({ name, title }) => (
          <li key={name}>
            <a
              href={`#${sectionId(name)}`}
              onClick={(event) => {
                event.preventDefault();
                const section = document.getElementById(sectionId(name));
                section?.scrollIntoView({ block: "start" });
                section?.querySelector<HTMLElement>("input, select, textarea, button")?.focus({
                  preventScroll: true,
                });
              }}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function sectionId(name: string): string {
  return `section-${name || "general"}`;
}

interface GroupProps {
  group: SettingGroup;
  of: EditedSettings;
  changes: Changes;
  problems: readonly SettingProblem[];
  onChange(key: string, value: unknown): void;
  /** Takes the change of a key back. */
  onKeep(key: string): void;
}

function Group(props: GroupProps): VNode {
  const { name, title, help, settings } = props.group;
  return (
    <section class="card stack settings-section" id={sectionId(name)} aria-label={title}>
      <h2>{title}</h2>
      {help !== "" && <p class="dim">{withCode(help)}</p>}
      {settings.map((setting) => (
        <Line key={setting.key} setting={setting} {...props} />
      ))}
    </section>
  );
}

interface LineProps extends GroupProps {
  setting: Setting;
}

/** One setting with its control; says whether the file sets it, and when a change takes effect. */
function Line({ setting, of, changes, problems, onChange, onKeep }: LineProps): VNode {
  const { key, field, choices } = setting;
  const isChanged = changes.has(key);
  const written = readKey(of.values, key);
  const stored = written ?? withoutEmpty(setting.default);
  const value = isChanged ? changes.get(key) : stored;
  const isEditable = may(of.permission);
  const isSet = written !== undefined && (!isChanged || value !== undefined);
  return (
    <div class="setting" title={key}>
      {setting.isMap && isTextMap(stored) ? (
        <MapField
          field={field}
          value={value}
          error={findProblem(problems, key)}
          isEditable={isEditable}
          onChange={(next) => onChange(key, next)}
        />
      ) : (
        <FieldInput
          field={field}
          value={choices.length > 0 && value !== undefined ? String(value) : value}
          error={findProblem(problems, key)}
          isEditable={isEditable}
          onChange={(next) => {
            const choice = choices.find((one) => String(one) === next);
            onChange(key, choice ?? next);
          }}
        />
      )}
      {setting.isSeconds && typeof value === "number" && value >= 120 && (
        <span class="help">{t("duration", { time: durationText(value) })}</span>
      )}
      <div class="row setting-state">
        {isChanged && <span class="badge warn">{t("restart")}</span>}
        {!isChanged && isSet && <span class="badge">{t("set")}</span>}
        {isChanged && (
          <button
            type="button"
            class="link"
            aria-label={t("keep.of", { name: field.label })}
            onClick={() => onKeep(key)}
          >
            {t("keep")}
          </button>
        )}
        {isEditable && isSet && !field.required && (
          <button
            type="button"
            class="link"
            aria-label={t("reset.of", { name: field.label })}
            onClick={() => onChange(key, undefined)}
          >
            {t("reset")}
          </button>
        )}
      </div>
    </div>
  );
}

type MapFieldProps = Pick<LineControl, "field" | "value" | "error" | "isEditable" | "onChange">;
type LineControl = Parameters<typeof FieldInput>[0];

/** A map of texts with label, help and error. */
function MapField({ field, error, ...rest }: MapFieldProps): VNode {
  return (
    <fieldset class="field">
      <legend>{field.label}</legend>
      <MapInput label={field.label} {...rest} />
      {(error ?? field.help) !== "" && (
        <span class={error === null ? "help" : "field-error"}>{withCode(error ?? field.help)}</span>
      )}
    </fieldset>
  );
}

const UNITS: readonly [unit: "day" | "hour" | "minute", seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** Seconds in the largest unit that fits: "14 days". */
function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ["minute", 60];
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: 1,
  });
  return format.format(seconds / size);
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
  /** True for a map of texts. */
  readonly isMap: boolean;
  /** True for a number of seconds. */
  readonly isSeconds: boolean;
}
/** The settings below one key of the file; those without a group have an empty name. */
interface SettingGroup {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly settings: readonly Setting[];
}

/** The settings that a schema describes, grouped by the keys of the file's top level. */
function settingGroups({ schema, values, plugin }: EditedSettings): readonly SettingGroup[] {
  const entries = Object.entries(schema.properties ?? {})
    // The same keys as in admin.yaml, unless this file has them.
    .filter(([name]) => name !== "admin" || values["admin"] !== undefined);
  const plain = entries.filter(([, inner]) => inner.properties === undefined);
  const nested = entries.filter(([, inner]) => inner.properties !== undefined);
  const toSetting = (key: string, inner: JsonSchema, required: boolean): Setting =>
    setting({ key, schema: inner, required, label: settingText(key, inner, plugin) });
  const below = (prefix: string, outer: JsonSchema, labels: readonly string[] = []): Setting[] =>
    Object.entries(outer.properties ?? {}).flatMap(([name, inner]) => {
      const key = `${prefix}.${name}`;
      const { title, description } = settingText(key, inner, plugin);
      if (inner.properties !== undefined) return below(key, inner, [...labels, title]);
      // A part of a section that repeats words: `GitHub: Client id`.
      const label = { title: [...labels, title].join(": "), description };
      return [setting({ key, schema: inner, required: isRequired(outer, name), label })];
    });
  const general = plain.map(([name, inner]) => toSetting(name, inner, isRequired(schema, name)));
  return [
    { name: "", title: t("general"), help: "", settings: general },
    ...nested.map(([name, inner]) => {
      const { title, description } = settingText(name, inner, plugin);
      return { name, title, help: description, settings: below(name, inner) };
    }),
  ].filter(({ settings }) => settings.length > 0);
}

/** The settings whose label, sentence or key has every word; all of a section whose title has them. */
function findSettings(groups: readonly SettingGroup[], wanted: string): readonly SettingGroup[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  return groups.flatMap((group) => {
    if (has(group.title)) return [group];
    const settings = group.settings.filter(({ key, field }) =>
      has(`${group.title} ${field.label} ${field.help} ${key}`),
    );
    return settings.length === 0 ? [] : [{ ...group, settings }];
  });
}

/** The value of a dotted key; undefined when it is not set. */
function readKey(values: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((parent, part) => {
    if (typeof parent !== "object" || parent === null) return undefined;
    return Object.entries(parent).find(([name]) => name === part)?.[1];
  }, values);
}

function isRequired(schema: JsonSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false;
}

/** A key of a schema. */
interface DescribedKey {
  readonly key: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly label: Required<SettingText>;
}

function setting({ key, schema, required, label }: DescribedKey): Setting {
  const shown = withoutNull(schema);
  const choices = listChoices(shown);
  const isSeconds = /\bseconds?\b/i.test(schema.description ?? "") && toKind(shown) === "number";
  const field: Field = {
    ...plainField(key, choices.length > 0 ? "select" : toKind(shown), label.title),
    help: label.description,
    required,
    options: choices.map((choice) => ({ value: String(choice), label: String(choice) })),
    min: shown.minimum ?? null,
    max: shown.maximum ?? null,
  };
  return { key, field, default: schema.default, choices, isMap: isMapOfTexts(shown), isSeconds };
}

function isMapOfTexts({ type, properties, additionalProperties: values }: JsonSchema): boolean {
  const isMap = type === "object" && properties === undefined;
  return isMap && typeof values === "object" && values !== null && "type" in values
    ? values.type === "string"
    : false;
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

function toKind({ type, items, format }: JsonSchema): string {
  if (format === "color") return "color";
  if (type === "array") return items?.type === "string" && !items.enum ? "tags" : "yaml";
  return (typeof type === "string" ? KINDS[type] : undefined) ?? "yaml";
}
