import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../../api/request.js";
import { may } from "../../api/session.js";
import { changeSettings, type Settings } from "../../api/settings.js";
import { t as app } from "../../app/app-texts.js";
import { done } from "../../app/toasts.js";
import { Failure } from "../../parts/failure.js";
import { FieldInput } from "../../parts/fields/field-input.js";
import { settingGroups, valueAt, type Setting, type SettingGroup } from "./schema-fields.js";
import { problemOf, settingProblems, type SettingProblem } from "./setting-errors.js";
import { t } from "./settings-texts.js";

type Changes = ReadonlyMap<string, unknown>;

/** The form of one configuration file. */
export function SettingsForm({ of, onReload }: { of: Settings; onReload(): void }): VNode {
  const [changes, setChanges] = useState<Changes>(new Map());
  const [error, setError] = useState<unknown>(null);
  const [isSaved, setSaved] = useState(false);
  const problems = settingProblems(error);
  const groups = settingGroups(of.schema, of.values);
  const save = async (): Promise<void> => {
    try {
      const all = [...changes].map(([key, value]) => ({ key, value: value ?? null }));
      await changeSettings(of.file, all, of.hash);
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
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Messages
        {...{ error, problems, isSaved }}
        onReload={() => {
          setError(null);
          onReload();
        }}
      />
      {groups.map((group) => (
        <Group
          key={group.name}
          {...{ group, of, changes, problems }}
          onChange={(key, value) => setChanges(new Map(changes).set(key, value))}
        />
      ))}
      {may("config.update") && (
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

function Messages(props: {
  error: unknown;
  problems: readonly SettingProblem[];
  isSaved: boolean;
  onReload(): void;
}): VNode | null {
  const { error, isSaved, onReload } = props;
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
  if (error !== null) return <Failure error={error} />;
  if (!isSaved) return null;
  return (
    <p class="notice warn" role="status">
      {t("saved.restart")}
    </p>
  );
}

interface GroupProps {
  group: SettingGroup;
  of: Settings;
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

/** One setting; a changed one says when it takes effect. */
function Line({
  setting,
  of,
  changes,
  problems,
  onChange,
}: GroupProps & { setting: Setting }): VNode {
  const { key, field, choices } = setting;
  const isChanged = changes.has(key);
  const stored = valueAt(of.values, key) ?? withoutEmpty(setting.default);
  const value = isChanged ? changes.get(key) : stored;
  return (
    <div class="setting">
      <FieldInput
        field={field}
        value={choices.length > 0 && value !== undefined ? String(value) : value}
        error={problemOf(problems, key)}
        isEditable={may("config.update")}
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
