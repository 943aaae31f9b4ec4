import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { texts } from "../../app/texts.js";
import { done } from "../../app/toasts.js";
import de from "../../locales/de/webhooks.json";
import en from "../../locales/en/webhooks.json";
import { FormDialog } from "../../parts/forms.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { call } from "../../api/request.js";

const t = texts({ en, de });

/** The events that a replay would send. */
interface Plan {
  readonly endpoint: string;
  readonly since: string;
  readonly events: number;
}

interface ReplayDialogProps {
  onClose(): void;
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

/** Sends the events since a cursor to one endpoint again: counts them first. */
export default function ReplayDialog(props: ReplayDialogProps): VNode {
  const [plan, setPlan] = useState<Plan | null>(null);
  const isCounted = useRef(false);
  const submit = async (form: FormData): Promise<void> => {
    if (plan !== null) {
      const events = await everyPart(plan.endpoint, plan.since, false);
      isCounted.current = false;
      done(t("replay.sent", { n: events }));
      props.onDone();
      return;
    }
    const endpoint = String(form.get("endpoint"));
    const since = String(form.get("since")).trim();
    const events = await everyPart(endpoint, since, true);
    isCounted.current = true;
    setPlan({ endpoint, since, events });
  };
  return (
    <FormDialog
      key={plan === null ? "ask" : "send"}
      title={t("replay")}
      action={plan === null ? t("replay.count") : t("replay.send", { n: plan.events })}
      onClose={() => {
        // The dialog closes itself after each step; counting is the first one.
        if (!isCounted.current) props.onClose();
        isCounted.current = false;
      }}
      onSubmit={submit}
    >
      {plan === null ? <Inputs /> : <p role="status">{t("replay.found", { n: plan.events })}</p>}
    </FormDialog>
  );
}

function Inputs(): VNode {
  const endpoints = useLoaded("endpoints", () => call("GET /webhooks"));
  return (
    <>
      <p>{t("replay.why")}</p>
      <Loading of={endpoints}>
        {({ items }) => (
          <label>
            {t("endpoint")}
            <select name="endpoint" required>
              {items
                .filter(({ enabled }) => enabled)
                .map(({ id, label, url }) => (
                  <option key={id} value={id}>
                    {label || url}
                  </option>
                ))}
            </select>
          </label>
        )}
      </Loading>
      <label>
        {t("replay.since")}
        <input name="since" required maxLength={100} autocomplete="off" spellcheck={false} />
        <span class="help">{t("replay.since.help")}</span>
      </label>
    </>
  );
}

/** The number of events; a call handles about a thousand of them. */
async function everyPart(endpoint: string, since: string, dryRun: boolean): Promise<number> {
  let events = 0;
  for (let from = since, more = true; more;) {
    const part = await call("POST /webhooks/:id/replay", {
      params: { id: endpoint },
      body: { since: from, dryRun },
    });
    events += part.events;
    ({ cursor: from, more } = part);
  }
  return events;
}
