import type { VNode } from "preact";
import { endOtherSessions, endSession, listOwnSessions } from "../../api/account/own-account.js";
import { attempt, done } from "../../app/toasts.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./account-texts.js";

/** Browsers that are signed in; each can be signed out. */
export function Sessions(): VNode {
  const sessions = useLoaded("sessions", listOwnSessions);
  const end = async (work: () => Promise<unknown>): Promise<void> => {
    if (await attempt(work)) done(t("sessions.done"));
    sessions.reload();
  };
  return (
    <section class="card" aria-label={t("sessions")}>
      <h2>{t("sessions")}</h2>
      <Loading of={sessions}>
        {({ items }) => (
          <>
            <ul>
              {items.map(({ id, device, address, lastSeenAt, current }) => (
                <li key={id} class="page-line">
                  <span>
                    {device} {current && <span class="badge good">{t("sessions.current")}</span>}
                    <br />
                    <small class="dim">
                      {address} · <Moment at={lastSeenAt} />
                    </small>
                  </span>
                  {!current && (
                    <button
                      type="button"
                      aria-label={t("sessions.endOne", { device })}
                      onClick={() => void end(() => endSession(id))}
                    >
                      {t("sessions.end")}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {items.length > 1 && (
              <button type="button" onClick={() => void end(endOtherSessions)}>
                {t("sessions.endOthers")}
              </button>
            )}
          </>
        )}
      </Loading>
    </section>
  );
}
