import type { VNode } from "preact";
import { may } from "../../api/session.js";
import { href } from "../../app/router.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { FileSettings } from "./file-settings.js";
import { PluginSettingsPart } from "./plugin-settings.js";
import { t } from "./settings-texts.js";

const SECTIONS = ["site", "system", "admin", "plugins"] as const;

/** Forms of the configuration files and of plugins, described by their schemas. */
export default function SettingsScreen({ params, query }: ScreenProps): VNode {
  const section = SECTIONS.find((one) => one === params["section"]) ?? "site";
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
      </header>
      <nav class="row" aria-label={t("files")}>
        {SECTIONS.map((one) => (
          <a
            key={one}
            class="button"
            href={href(`/settings/${one}`)}
            data-screen
            aria-current={one === section ? "page" : undefined}
          >
            {t(one)}
          </a>
        ))}
      </nav>
      {!may("config.update") && <p class="notice">{t("readOnly")}</p>}
      {section === "plugins" ? (
        <PluginSettingsPart name={query.get("plugin") ?? ""} />
      ) : (
        <FileSettings key={section} file={section} />
      )}
    </div>
  );
}
