import type { VNode } from "preact";
import { language } from "../app/texts.js";
import { t } from "./parts-texts.js";

interface MomentFieldProps {
  /** The time at first, Unix ms; null: none. */
  at: number | null;
}

/** Asks for a future time, in the person's time zone, which it names. The field is called `at`. */
export function MomentField({ at }: MomentFieldProps): VNode {
  return (
    <>
      <label>
        {t("moment.at")}
        <input
          type="datetime-local"
          name="at"
          required
          autoFocus
          min={localTime(Date.now())}
          defaultValue={at === null ? undefined : localTime(at)}
        />
      </label>
      <p class="dim">{t("moment.zone", { zone: timeZone() })}</p>
    </>
  );
}

/** The moment of a form with `MomentField`. */
export function readMoment(form: FormData): Date {
  return new Date(String(form.get("at")));
}

/** The time zone of the browser: `Europe/Berlin (UTC+1)`. */
function timeZone(): string {
  const format = new Intl.DateTimeFormat(language, { timeZoneName: "short" });
  const { timeZone: zone } = format.resolvedOptions();
  const name = format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${zone} (${name})`;
}

/** Formats a time as `datetime-local` does, in the person's time zone. */
function localTime(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset).toISOString().slice(0, 16);
}
