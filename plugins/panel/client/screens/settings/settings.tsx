import type { VNode } from "preact";
import { may } from "../../api/session.js";
import { readSettings, type SettingsFile } from "../../api/settings.js";
import { href } from "../../app/router.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { SettingsForm } from "./settings-form.js";
import { t } from "./settings-texts.js";

const FILES = ["site", "system", "admin"] as const;

/** Forms of the configuration files, described by their schemas. */
export default function SettingsScreen({ params }: ScreenProps): VNode {
  const file: SettingsFile = FILES.find((one) => one === params["section"]) ?? "site";
  const settings = useLoaded(file, () => readSettings(file));
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
      </header>
      <nav class="row" aria-label={t("files")}>
        {FILES.map((one) => (
          <a
            key={one}
            class="button"
            href={href(`/settings/${one}`)}
            data-screen
            aria-current={one === file ? "page" : undefined}
          >
            {t(one)}
          </a>
        ))}
      </nav>
      {!may("config.update") && <p class="notice">{t("readOnly")}</p>}
      <Loading of={settings}>
        {(loaded) => (
          <>
            <p class="dim">{t("where", { path: loaded.path })}</p>
            <SettingsForm key={loaded.file} of={loaded} onReload={settings.reload} />
          </>
        )}
      </Loading>
    </div>
  );
}
