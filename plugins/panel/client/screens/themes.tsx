import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../app/texts.js";
import { done } from "../app/toasts.js";
import de from "../locales/de/themes.json";
import en from "../locales/en/themes.json";
import { Failure, Loading, useLoaded } from "../parts/loading.js";
import { FieldInput } from "../parts/fields/field-input.js";
import { isShown, plainField } from "../parts/fields/field-props.js";
import { PRESETS, settingChanges, toThemeSettings, type ThemeSettings } from "./theme-settings.js";
import { call, request, type Answer } from "../api/request.js";
import { showPreview } from "../api/preview.js";
import { may } from "../api/session.js";
import type { PageRow, Theme } from "../api/answers.js";
import { PagePicker } from "./pages/page-picker.js";

type Settings = Answer<"GET /settings/:file">;
type Themes = Answer<"GET /themes">;

const FRAME = "theme-preview";
const t = texts({ en, de });

interface Loaded {
  readonly themes: Themes;
  readonly site: Settings;
  /** Null: the site has no home page. */
  readonly page: HomePage | null;
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
  const [themes, site] = await Promise.all([
    call("GET /themes"),
    call("GET /settings/:file", { params: { file: "site" } }),
  ]);
  return { themes, site, page: themes.home === null ? null : await readHome(themes.home) };
}

async function readHome(path: string): Promise<HomePage> {
  const { raw, frontmatter } = (await request("GET /pages/*path", { params: { path } })).data;
  const { title } = frontmatter;
  return { path, content: raw, title: typeof title === "string" ? title : path };
}

interface ChoiceProps {
  of: Loaded;
  onSaved(): void;
}

function Choice({ of, onSaved }: ChoiceProps): VNode {
  const { themes, site, page } = of;
  const stored = toThemeSettings(site.values, themes.active);
  const [edited, setEdited] = useState<ThemeSettings>(stored);
  const [error, setError] = useState<unknown>(null);
  const isEditable = may("config.update");
  const changes = settingChanges(stored, edited);
  const chosen = themes.items.find(({ name }) => name === edited.name);
  const save = async (): Promise<void> => {
    try {
      await call("PATCH /settings/:file", {
        params: { file: "site" },
        body: { changes },
        ifMatch: site.hash,
      });
      done(`${t("saved")} ${t("saved.restart")}`);
      onSaved();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <ThemeList
        items={themes.items}
        active={themes.active}
        chosen={edited.name}
        isEditable={isEditable}
        onChoose={(name) =>
          setEdited({ ...edited, name, look: keptLook(themes.items, name, edited.look) })
        }
      />
      <form
        class="card stack"
        noValidate
        aria-label={t("look", { name: edited.name })}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h2>{t("look", { name: edited.name })}</h2>
        {error !== null && <Failure error={error} />}
        {chosen !== undefined && (
          <Fields theme={chosen} edited={edited} isEditable={isEditable} setEdited={setEdited} />
        )}
        {isEditable && (
          <div class="actions">
            <button type="submit" class="primary" disabled={changes.length === 0}>
              {t("save")}
            </button>
          </div>
        )}
      </form>
      {page !== null && (edited.name === themes.active || isEditable) && (
        <PreviewedPage home={page} edited={edited} />
      )}
    </>
  );
}

interface FieldsProps {
  theme: Theme;
  /** Choices that are not saved yet. */
  edited: ThemeSettings;
  isEditable: boolean;
  setEdited(next: ThemeSettings): void;
}

function Fields({ theme, edited, isEditable, setEdited }: FieldsProps): VNode {
  const defaults = Object.fromEntries(theme.fields.map((field) => [field.name, field.default]));
  const fields = theme.fields.filter((field) => isShown(field, { ...defaults, ...edited.custom }));
  const presets = PRESETS.map((value) => ({
    value,
    label: t(`preset.${value}`),
  }));
  const looks = Object.entries(theme.looks).map(([value, label]) => ({ value, label }));
  return (
    <>
      <FieldInput
        field={{ ...plainField("preset", "select", t("preset")), required: true, options: presets }}
        value={edited.preset}
        error={null}
        isEditable={isEditable}
        onChange={(next) => {
          const preset = presets.find(({ value }) => value === next)?.value ?? "site";
          setEdited({ ...edited, preset });
        }}
      />
      {looks.length > 0 && (
        <FieldInput
          field={{
            ...plainField("look", "select", t("look.label")),
            required: true,
            options: looks,
          }}
          value={edited.look ?? looks[0]?.value}
          error={null}
          isEditable={isEditable}
          onChange={(next) => {
            const look = looks.find(({ value }) => value === next)?.value ?? null;
            setEdited({ ...edited, look });
          }}
        />
      )}
      {fields.length === 0 && <p class="dim">{t("noFields")}</p>}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={edited.custom[field.name] ?? field.default}
          error={null}
          isEditable={isEditable}
          onChange={(next) =>
            setEdited({ ...edited, custom: { ...edited.custom, [field.name]: next } })
          }
        />
      ))}
    </>
  );
}

/** The look that stays chosen with another theme: null when it has none of this name. */
function keptLook(themes: readonly Theme[], name: string, look: string | null): string | null {
  const looks = themes.find((theme) => theme.name === name)?.looks ?? {};
  return look !== null && Object.hasOwn(looks, look) ? look : null;
}

interface ThemeListProps {
  items: readonly Theme[];
  /** Name of the theme that draws the pages now. */
  active: string;
  /** Name of the theme that is chosen here. */
  chosen: string;
  isEditable: boolean;
  onChoose(name: string): void;
}

/** The installed themes; one is chosen. */
function ThemeList(props: ThemeListProps): VNode {
  return (
    <section class="stack-small" aria-label={t("list")}>
      <h2>{t("list")}</h2>
      <ul class="theme-list">
        {props.items.map((theme) => (
          <li key={theme.name} class="card stack-small">
            <h3>{theme.name}</h3>
            <p class="row">
              {theme.name === props.active && <span class="badge good">{t("active")}</span>}
              {theme.name === props.chosen && <span class="badge">{t("chosen")}</span>}
              <small class="dim">{details(theme)}</small>
            </p>
            {theme.colors.length > 0 && <Colors of={theme} />}
            <p>{theme.description}</p>
            {theme.problem !== null && (
              <p class="notice bad break">{t("problem", { problem: theme.problem })}</p>
            )}
            {props.isEditable && theme.name !== props.chosen && theme.problem === null && (
              <div class="actions">
                <button
                  type="button"
                  aria-label={t("use.for", { name: theme.name })}
                  onClick={() => props.onChoose(theme.name)}
                >
                  {t("use")}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function details({ version, parent }: Theme): string {
  const parts = [version === "" ? "" : t("version", { version })];
  if (parent !== null) parts.push(t("parent", { parent }));
  return parts.filter((part) => part !== "").join(" · ");
}

interface ColorsProps {
  of: Theme;
}

function Colors({ of: { name, colors } }: ColorsProps): VNode {
  return (
    <svg
      class="theme-colors"
      role="img"
      aria-label={t("colors", { name, colors: colors.join(", ") })}
      viewBox={`0 0 ${colors.length * 4} 1`}
      preserveAspectRatio="none"
    >
      {colors.map((color, at) => (
        <rect key={color} x={at * 4} y="0" width="4" height="1" fill={color} />
      ))}
    </svg>
  );
}

interface PreviewedPageProps {
  /** The home page, which is shown at first. */
  home: HomePage;
  /** Choices that are not saved yet. */
  edited: ThemeSettings;
}

/** The preview of the home page, or of another one that is chosen. */
function PreviewedPage({ home, edited }: PreviewedPageProps): VNode {
  const [chosen, setChosen] = useState<PageRow | null>(null);
  const path = chosen?.sourcePath ?? home.path;
  const shown = useLoaded(path, async () =>
    path === home.path
      ? home
      : { path, content: (await request("GET /pages/*path", { params: { path } })).data.raw },
  );
  return (
    <section class="stack-small" aria-label={t("preview")}>
      <h2>{t("preview")}</h2>
      <p class="dim">{t("preview.why")}</p>
      <details class="parent-choice">
        <summary>{t("preview.shown", { title: chosen?.title ?? home.title })}</summary>
        <PagePicker
          legend={t("preview.page")}
          parent="/"
          top={home.title}
          onChoose={(_, page) => setChosen(page)}
        />
      </details>
      <ThemePreview page={shown.data ?? home} edited={edited} />
    </section>
  );
}

const WAIT_MS = 400;

/** A page with its text. */
interface PreviewText {
  readonly path: string;
  readonly content: string;
}

/** The home page with its text. */
interface HomePage extends PreviewText {
  readonly title: string;
}

interface ThemePreviewProps {
  page: PreviewText;
  /** Choices that are not saved yet. */
  edited: ThemeSettings;
}

/** A page in the chosen theme, with settings that are not saved. */
function ThemePreview(props: ThemePreviewProps): VNode {
  const { path, content } = props.page;
  const { name, preset, look, custom } = props.edited;
  const theme = JSON.stringify({ name, preset, look, custom });
  useEffect(() => {
    const timer = setTimeout(() => showPreview(FRAME, { path, content, theme }), WAIT_MS);
    return () => clearTimeout(timer);
  }, [path, content, theme]);
  return (
    <iframe class="theme-preview" name={FRAME} title={t("preview")} sandbox="allow-same-origin" />
  );
}
