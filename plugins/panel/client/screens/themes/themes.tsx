import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { readPage } from "../../api/content/pages.js";
import { may } from "../../api/session.js";
import { changeSettings, readSettings, type Settings } from "../../api/settings/settings.js";
import { listThemes, type Theme, type Themes } from "../../api/settings/themes.js";
import { done } from "../../app/toasts.js";
import { Failure } from "../../parts/failure.js";
import { FieldInput } from "../../parts/fields/field-input.js";
import { isShown } from "../../parts/fields/is-shown.js";
import { plainField } from "../../parts/fields/plain-field.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { draftChanges, draftOf, themeFields, type ThemeDraft } from "./theme-draft.js";
import { ThemeList } from "./theme-list.js";
import { PreviewedPage } from "./previewed-page.js";
import { t } from "./themes-texts.js";

interface Loaded {
  readonly themes: Themes;
  readonly site: Settings;
  readonly page: { readonly path: string; readonly content: string } | null;
}

/** Themes, presets and settings of the theme, with a preview. */
export default function ThemesScreen(): VNode {
  const loaded = useLoaded("themes", load);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <p>{t("why")}</p>
      </header>
      {!may("config.update") && <p class="notice">{t("readOnly")}</p>}
      <Loading of={loaded}>
        {(all) => <Choice key={all.site.hash} of={all} onSaved={loaded.reload} />}
      </Loading>
    </div>
  );
}

async function load(): Promise<Loaded> {
  const [themes, site] = await Promise.all([listThemes(), readSettings("site")]);
  const path = themes.home;
  const page = path === null ? null : { path, content: (await readPage(path)).data.raw };
  return { themes, site, page };
}

function Choice({ of, onSaved }: { of: Loaded; onSaved(): void }): VNode {
  const { themes, site, page } = of;
  const stored = draftOf(site.values, themes.active);
  const [draft, setDraft] = useState<ThemeDraft>(stored);
  const [error, setError] = useState<unknown>(null);
  const isEditable = may("config.update");
  const changes = draftChanges(stored, draft);
  const chosen = themes.items.find(({ name }) => name === draft.name);
  const save = async (): Promise<void> => {
    try {
      await changeSettings("site", changes, site.hash);
      done(`${t("saved")} ${t("saved.restart")}`);
      onSaved();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <ThemeList
        {...{ items: themes.items, active: themes.active, chosen: draft.name, isEditable }}
        onChoose={(name) => setDraft({ ...draft, name })}
      />
      <form
        class="card stack"
        noValidate
        aria-label={t("look", { name: draft.name })}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h2>{t("look", { name: draft.name })}</h2>
        {error !== null && <Failure error={error} />}
        {chosen !== undefined && <Fields {...{ theme: chosen, draft, isEditable, setDraft }} />}
        {isEditable && (
          <div class="actions">
            <button type="submit" class="primary" disabled={changes.length === 0}>
              {t("save")}
            </button>
          </div>
        )}
      </form>
      {page !== null && (draft.name === themes.active || isEditable) && (
        <PreviewedPage home={page} draft={draft} />
      )}
    </>
  );
}

function Fields(props: {
  theme: Theme;
  draft: ThemeDraft;
  isEditable: boolean;
  setDraft(next: ThemeDraft): void;
}): VNode {
  const { theme, draft, isEditable, setDraft } = props;
  const all = themeFields(theme);
  const defaults = Object.fromEntries(all.map((field) => [field.name, field.default]));
  const fields = all.filter((field) => isShown(field, { ...defaults, ...draft.custom }));
  const presets = (["site", "docs", "blog"] as const).map((value) => ({
    value,
    label: t(`preset.${value}`),
  }));
  return (
    <>
      <FieldInput
        field={{ ...plainField("preset", "select", t("preset")), required: true, options: presets }}
        value={draft.preset}
        error={null}
        isEditable={isEditable}
        onChange={(next) => {
          const preset = presets.find(({ value }) => value === next)?.value ?? "site";
          setDraft({ ...draft, preset });
        }}
      />
      {fields.length === 0 && <p class="dim">{t("noFields")}</p>}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={draft.custom[field.name] ?? field.default}
          error={null}
          isEditable={isEditable}
          onChange={(next) =>
            setDraft({ ...draft, custom: { ...draft.custom, [field.name]: next } })
          }
        />
      ))}
    </>
  );
}
