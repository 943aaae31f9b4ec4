import { MailPlus, RotateCw, Trash2, UserPlus } from "lucide";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { setQuery, type ScreenProps } from "../app/router.js";
import { texts } from "../app/texts.js";
import { attempt, done } from "../app/toasts.js";
import de from "../locales/de/users.json";
import en from "../locales/en/users.json";
import { Dialog } from "../parts/dialog.js";
import { FormDialog, SecretText } from "../parts/forms.js";
import { Icon } from "../parts/icon.js";
import { Paged, Table } from "../parts/table.js";
import { Loading, useLoaded } from "../parts/loading.js";
import { fullMoment, Moment } from "../parts/moment.js";
import { AccountActions, AccountForm, displayName, roleText, usePanelRoles } from "./user-form.js";
import { call, type Item, type Answer } from "../api/request.js";
import type { Account } from "../api/answers.js";

type Invitation = Item<"GET /invitations">;
type SentInvitation = Answer<"POST /invitations">;

const t = texts({ en, de });

const LIMIT = 50;
type Open = "create" | "invite" | Account | SentInvitation | null;

/** Accounts and invitations. */
export default function Users({ query }: ScreenProps): VNode {
  const offset = Number(query.get("offset") ?? 0);
  const accounts = useLoaded(String(offset), () =>
    call("GET /users", { query: { limit: LIMIT, offset } }),
  );
  const [open, setOpen] = useState<Open>(query.has("invite") ? "invite" : null);
  const wanted = query.get("user") ?? "";
  useEffect(() => {
    if (wanted === "") return;
    void attempt(async () => setOpen(await call("GET /users/:id", { params: { id: wanted } })));
  }, [wanted]);
  const close = (): void => {
    setOpen(null);
    setQuery({ user: "", invite: "" });
  };
  const [version, setVersion] = useState(0);
  const onSent = (sent: SentInvitation): void => {
    setVersion((before) => before + 1);
    if (sent.link === undefined) done(t("invite.sent", { email: sent.email }));
    // After the dialog has closed itself.
    else setTimeout(() => setOpen(sent));
  };
  return (
    <div class="screen">
      <Head onOpen={setOpen} />
      <Paged of={accounts} offset={offset} limit={LIMIT} count={(n) => t("count", { n })}>
        {({ users, currentUserId }) => (
          <Accounts users={users} ownId={currentUserId} onEdit={setOpen} onDone={accounts.reload} />
        )}
      </Paged>
      <Invitations version={version} onSent={onSent} />
      <Opened of={open} onClose={close} onDone={accounts.reload} onSent={onSent} />
    </div>
  );
}

interface HeadProps {
  onOpen(open: Open): void;
}

function Head({ onOpen }: HeadProps): VNode {
  return (
    <header class="screen-head">
      <h1>{t("title")}</h1>
      <div class="row">
        <button type="button" onClick={() => onOpen("create")}>
          <Icon of={UserPlus} />
          {t("create")}
        </button>
        <button type="button" class="primary" onClick={() => onOpen("invite")}>
          <Icon of={MailPlus} />
          {t("invite")}
        </button>
      </div>
    </header>
  );
}

interface OpenedProps {
  of: Open;
  onClose(): void;
  /** Called after the change, to load again what is shown. */
  onDone(): void;
  onSent(sent: SentInvitation): void;
}

function Opened({ of, onClose, onDone, onSent }: OpenedProps): VNode | null {
  if (of === null) return null;
  if (of === "invite") return <InviteForm onClose={onClose} onSent={onSent} />;
  if (of === "create") return <AccountForm account={null} onClose={onClose} onDone={onDone} />;
  if ("sent" in of) return <InviteLink email={of.email} link={of.link ?? ""} onClose={onClose} />;
  return <AccountForm account={of} onClose={onClose} onDone={onDone} />;
}

interface AccountsProps {
  users: readonly Account[];
  /** Id of the person's account. */
  ownId: string;
  onEdit(account: Account): void;
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

function Accounts({ users, ownId, onEdit, onDone }: AccountsProps): VNode {
  return (
    <Table
      label={t("title")}
      columns={[
        { label: t("user") },
        { label: t("roles"), wideOnly: true },
        { label: t("state"), wideOnly: true },
        { label: t("seen"), wideOnly: true },
        { label: t("actions"), isActions: true },
      ]}
    >
      {users.map((account) => (
        <tr key={account.id}>
          <td class="break">
            <button
              type="button"
              class="link"
              aria-label={t("edit", { name: displayName(account) })}
              onClick={() => onEdit(account)}
            >
              {displayName(account)}
            </button>{" "}
            {account.id === ownId && <span class="badge">{t("you")}</span>}
            <small class="dim block">{account.email}</small>
          </td>
          <td class="wide-only">{account.roles.join(", ")}</td>
          <td class="wide-only">
            <span class={`badge ${account.enabled ? "good" : "bad"}`}>
              {t(account.enabled ? "enabled" : "disabled")}
            </span>
          </td>
          <td class="wide-only dim">
            {/* Both times are equal until the first sign-in. */}
            {account.lastSeenAt > account.createdAt ? (
              <Moment at={account.lastSeenAt} />
            ) : (
              t("seen.never")
            )}
          </td>
          <td class="end">
            <AccountActions account={account} isOwn={account.id === ownId} onDone={onDone} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface InvitationsProps {
  /** Changes when an invitation was sent. */
  version: number;
  onSent(sent: SentInvitation): void;
}

/** Invitations that were not accepted yet; nothing while there are none. */
function Invitations(props: InvitationsProps): VNode {
  const invitations = useLoaded(String(props.version), () => call("GET /invitations"));
  const resend = (id: string): Promise<boolean> =>
    attempt(async () => {
      props.onSent(await call("POST /invitations/:id/resend", { params: { id } }));
      invitations.reload();
    });
  const revoke = (id: string): Promise<boolean> =>
    attempt(async () => {
      await call("DELETE /invitations/:id", { params: { id } });
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

interface LineProps {
  invitation: Invitation;
  onResend(): void;
  onRevoke(): void;
}

function Line(props: LineProps): VNode {
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

interface InviteFormProps {
  onClose(): void;
  onSent(sent: SentInvitation): void;
}

/** Asks whom to invite. */
function InviteForm(props: InviteFormProps): VNode {
  const roles = usePanelRoles();
  return (
    <FormDialog
      title={t("invite")}
      action={t("invite.action")}
      onClose={props.onClose}
      onSubmit={async (form) => {
        props.onSent(
          await call("POST /invitations", {
            body: { email: String(form.get("email")).trim(), role: String(form.get("role")) },
          }),
        );
      }}
    >
      <p class="dim">{t("invite.why")}</p>
      <label>
        {t("email")}
        <input type="email" name="email" required maxLength={320} autocomplete="off" />
      </label>
      <label>
        {t("invite.role")}
        <select name="role">
          {roles.map((role) => (
            <option key={role.name} value={role.name} selected={role.name === "author"}>
              {roleText(role)}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}

interface InviteLinkProps {
  email: string;
  link: string;
  onClose(): void;
}

/** The link of an invitation, for a site that cannot send mail. */
function InviteLink(props: InviteLinkProps): VNode {
  const title = t("invite.linkTitle", { email: props.email });
  return (
    <Dialog title={title} onClose={props.onClose}>
      <p>{t("invite.link")}</p>
      <SecretText label={title} text={props.link} />
    </Dialog>
  );
}
