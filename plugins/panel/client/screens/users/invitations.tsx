import { RotateCw, Trash2 } from "lucide";
import type { VNode } from "preact";
import {
  inviteAgain,
  listInvitations,
  revokeInvitation,
  type Invitation,
  type SentInvitation,
} from "../../api/accounts/accounts.js";
import { attempt, done } from "../../app/toasts.js";
import { Icon } from "../../parts/icon.js";
import { Loading } from "../../parts/loading.js";
import { fullMoment } from "../../parts/moment.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./users-texts.js";

/** Invitations that were not accepted yet; nothing while there are none. */
export function Invitations(props: {
  /** Changes when an invitation was sent. */
  version: number;
  onSent(sent: SentInvitation): void;
}): VNode {
  const invitations = useLoaded(String(props.version), listInvitations);
  const resend = (id: string): Promise<boolean> =>
    attempt(async () => {
      props.onSent(await inviteAgain(id));
      invitations.reload();
    });
  const revoke = (id: string): Promise<boolean> =>
    attempt(async () => {
      await revokeInvitation(id);
      done(t("revoked"));
      invitations.reload();
    });
  return (
    <Loading of={invitations}>
      {({ items }) =>
        items.length > 0 && (
          <section class="card" aria-label={t("invitations")}>
            <h2>{t("invitations")}</h2>
            <ul>
              {items.map((one) => (
                <Line
                  key={one.id}
                  invitation={one}
                  onResend={() => void resend(one.id)}
                  onRevoke={() => void revoke(one.id)}
                />
              ))}
            </ul>
          </section>
        )
      }
    </Loading>
  );
}

function Line(props: { invitation: Invitation; onResend(): void; onRevoke(): void }): VNode {
  const { email, role, expired, expiresAt } = props.invitation;
  return (
    <li class="row">
      <span class="grow break">
        {email} <span class="badge">{role}</span>{" "}
        {expired ? (
          <span class="badge warn">{t("invitations.expired")}</span>
        ) : (
          <small class="dim">{t("invitations.until", { time: fullMoment(expiresAt) })}</small>
        )}
      </span>
      <button
        type="button"
        class="icon"
        aria-label={t("resend", { email })}
        onClick={props.onResend}
      >
        <Icon of={RotateCw} />
      </button>
      <button
        type="button"
        class="icon"
        aria-label={t("revoke", { email })}
        onClick={props.onRevoke}
      >
        <Icon of={Trash2} />
      </button>
    </li>
  );
}
