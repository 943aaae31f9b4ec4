import { Check, Circle } from "lucide";
import type { VNode } from "preact";
import { hideFirstSteps, readFirstSteps, type FirstStep } from "../../api/account/own-account.js";
import { href } from "../../app/router.js";
import { texts } from "../../app/texts.js";
import { attempt } from "../../app/toasts.js";
import de from "../../locales/de/dashboard.json";
import en from "../../locales/en/dashboard.json";
import { Icon } from "../../parts/icon.js";
import { useLoaded } from "../../parts/use-loaded.js";

const t = texts({ en, de });
const ADDRESSES: Readonly<Record<FirstStep["name"], string>> = {
  password: "/account",
  title: "/settings/site",
  page: "/pages?new=1",
};

/** What a new account does first; skippable, remembered for the account. */
export function FirstSteps(): VNode | null {
  const guide = useLoaded("first-steps", readFirstSteps);
  if (guide.data === undefined || guide.data.dismissed) return null;
  const hide = async (): Promise<void> => {
    if (await attempt(hideFirstSteps)) guide.reload();
  };
  return (
    <section class="card first-steps" aria-label={t("first.heading")}>
      <h2>{t("first.heading")}</h2>
      <ol>
        {guide.data.steps.map(({ name, done }) => (
          <li key={name}>
            <Icon of={done ? Check : Circle} />
            {done ? (
              <span class="dim">{t("first.done", { step: t(`first.${name}`) })}</span>
            ) : (
              <a href={href(ADDRESSES[name])} data-screen>
                {t(`first.${name}`)}
              </a>
            )}
          </li>
        ))}
      </ol>
      <button type="button" onClick={() => void hide()}>
        {t("first.hide")}
      </button>
    </section>
  );
}
