import { Link } from "lucide";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { SettingChange } from "../../api/answers.js";
import { address, href } from "../../app/router.js";
import { language, t as app, texts } from "../../app/texts.js";
import { done } from "../../app/toasts.js";
import de from "../../locales/de/settings.json";
import en from "../../locales/en/settings.json";
import { Failure } from "../../parts/loading.js";
import { FieldInput, withCode } from "../../parts/fields/field-input.js";
import type { FieldInputProps, InnerError } from "../../parts/fields/field-props.js";
import { Icon } from "../../parts/icon.js";
import { isTextMap, MapInput } from "./map-input.js";
import {
  type EditedSettings,
  findSettings,
  isListOfMaps,
  readKey,
  type Setting,
  type SettingGroup,
  settingGroups,
} from "./setting-groups.js";
import {
  findProblem,
  innerProblems,
  type SettingProblem,
  settingProblems,
} from "./setting-problems.js";

const t = texts({ en, de });

type Changes = ReadonlyMap<string, unknown>;

interface FormProps {
  of: EditedSettings;
  /** The setting that the address names: it is shown and marked; empty: none. */
  linked: string;
  /** @throws ApiError for wrong values and changed files. */
  onSave(changes: readonly SettingChange[]): Promise<unknown>;
  onReload(): void;
}

/** The form of settings that a schema describes. */
export function SettingsForm({ of, linked, onSave, onReload }: FormProps): VNode {
  const [changes, setChanges] = useState<Changes>(new Map());
  const [error, setError] = useState<unknown>(null);
  const [isSaved, setSaved] = useState(false);
  const problems = settingProblems(error, of.at, (expected) => t("expected", { expected }));
  const [wanted, setWanted] = useState(address.peek().query.get("find") ?? "");
  const all = settingGroups(of);
  const groups = findSettings(all, wanted);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  useEffect(() => {
    const row = linked === "" ? null : document.getElementById(settingId(linked));
    row?.scrollIntoView({ block: "center" });
    row?.querySelector<HTMLElement>(CONTROL)?.focus({ preventScroll: true });
  }, [linked]);
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
              linked={linked}
              onChange={(key, value) => setChanges(new Map(changes).set(key, value))}
              onKeep={(key) => setChanges(withoutKey(changes, key))}
            />
          ))}
        </div>
      </div>
      {may(of.permission) && <SaveBar count={changes.size} />}
    </form>
  );
}

/** Saves the changed settings. */
function SaveBar({ count }: { count: number }): VNode {
  return (
    <div class="save-bar actions">
      <span class="dim">{count === 0 && t("nothing")}</span>
      <button type="submit" class="primary" disabled={count === 0}>
        {count === 0 ? app("save") : t("save", { n: count })}
      </button>
    </div>
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
                section?.querySelector<HTMLElement>(CONTROL)?.focus({ preventScroll: true });
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

const CONTROL = "input, select, textarea, button";

function settingId(key: string): string {
  return `setting-${key}`;
}

function sectionId(name: string): string {
  return `section-${name || "general"}`;
}

interface GroupProps {
  group: SettingGroup;
  of: EditedSettings;
  changes: Changes;
  problems: readonly SettingProblem[];
  /** The setting that the address names. */
  linked: string;
  onChange(key: string, value: unknown): void;
  /** Undoes the change of a key. */
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

/** One setting with its control, and its state in the file. */
function Line({ setting, of, changes, problems, linked, onChange, onKeep }: LineProps): VNode {
  const { key, field } = setting;
  const isChanged = changes.has(key);
  const written = readKey(of.values, key);
  const value = isChanged ? changes.get(key) : (written ?? withoutEmpty(setting.default));
  const isEditable = may(of.permission);
  const isSet = written !== undefined && (!isChanged || value !== undefined);
  return (
    <div class={key === linked ? "setting is-linked" : "setting"} id={settingId(key)} title={key}>
      <SettingControl
        setting={setting}
        value={value}
        isMap={setting.isMap && isTextMap(written)}
        error={findProblem(problems, key)}
        inner={innerProblems(problems, key)}
        isEditable={isEditable}
        onChange={(next) => onChange(key, next)}
      />
      <SettingState
        settingKey={key}
        name={field.label}
        isChanged={isChanged}
        isSet={isSet}
        onKeep={() => onKeep(key)}
        onReset={isEditable && isSet && !field.required ? () => onChange(key, undefined) : null}
      />
    </div>
  );
}

interface SettingControlProps {
  setting: Setting;
  value: unknown;
  /** True: a map of texts, shown as a table. */
  isMap: boolean;
  error: string | null;
  /** Problems inside the value: `0.pattern` of `rules`. */
  inner: readonly InnerError[];
  isEditable: boolean;
  onChange(value: unknown): void;
}

function SettingControl({ setting, value, isMap, ...rest }: SettingControlProps): VNode {
  const { choices, isSeconds } = setting;
  const hasRows = setting.field.type !== "structure" || isListOfMaps(value);
  const field = hasRows ? setting.field : { ...setting.field, type: "yaml" };
  if (isMap) {
    const { inner: _, ...map } = rest;
    return <MapField field={field} value={value} {...map} />;
  }
  return (
    <>
      <FieldInput
        {...rest}
        field={field}
        Nested={ItemInput}
        value={choices.length > 0 && value !== undefined ? String(value) : value}
        onChange={(next) => rest.onChange(choices.find((one) => String(one) === next) ?? next)}
      />
      {isSeconds && typeof value === "number" && value >= 120 && (
        <span class="help">{t("duration", { time: durationText(value) })}</span>
      )}
    </>
  );
}

/** A field of an item of a list; without a value it shows the default. */
function ItemInput(props: FieldInputProps): VNode {
  const { field, value = field.more?.["default"] } = props;
  return <FieldInput {...props} value={value} Nested={ItemInput} />;
}

interface SettingStateProps {
  settingKey: string;
  /** The label of the setting. */
  name: string;
  isChanged: boolean;
  /** True: the file will set it after the change. */
  isSet: boolean;
  /** Undoes the change. */
  onKeep(): void;
  /** Goes back to the default; null: that is not possible. */
  onReset: (() => void) | null;
}

/** Says whether the file sets a setting, and when a change takes effect. */
function SettingState(props: SettingStateProps): VNode {
  const { settingKey, name, isChanged, isSet, onKeep, onReset } = props;
  const { path, query } = address.value;
  const plugin = query.get("plugin");
  const own = { ...(plugin !== null && { plugin }), setting: settingKey };
  return (
    <div class="row setting-state">
      {isChanged && (
        <>
          <span class="badge warn">{t("restart")}</span>
          <button type="button" class="link" aria-label={t("keep.of", { name })} onClick={onKeep}>
            {t("keep")}
          </button>
        </>
      )}
      {!isChanged && isSet && <span class="badge">{t("set")}</span>}
      <a
        class="setting-link"
        href={href(`${path}?${new URLSearchParams(own)}`)}
        data-screen
        title={t("link.of", { name })}
      >
        <Icon of={Link} size={14} />
        <span class="visually-hidden">{t("link.of", { name })}</span>
      </a>
      {onReset !== null && (
        <button type="button" class="link" aria-label={t("reset.of", { name })} onClick={onReset}>
          {t("reset")}
        </button>
      )}
    </div>
  );
}

type MapFieldProps = Omit<SettingControlProps, "setting" | "isMap" | "inner"> & {
  field: Setting["field"];
};

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
