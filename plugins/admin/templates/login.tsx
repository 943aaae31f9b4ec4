import type { VNode } from "preact";
import { toSentence } from "#lib/text";
import { Frame, Mark, type FrameProps } from "./frame.js";

/** Content of the login page. */
export interface LoginProps {
  frame: FrameProps;
  next: string;
  error: string | null;
  /** The name that was entered before; empty: none. */
  username: string;
  /** False when the browser drops the cookie of a login, because the page came over plain http. */
  keepsCookie: boolean;
  /** True when the site can send a link for a new password. */
  canReset: boolean;
  /** The sealed login whose password was right: the page asks for a code. */
  step: string | null;
  /** The button of the OpenID provider; null without one. */
  oidc: { href: string; label: string } | null;
  /** The script that signs in with passkeys; null when the site can have none. */
  passkeyUrl: string | null;
}

/** The login page. */
export function Login(props: LoginProps): VNode {
  const { frame, next, error, username, keepsCookie, canReset, step, oidc, passkeyUrl } = props;
  return (
    <Frame {...frame}>
      <section class="login">
        <Mark />
        <h1>Sign in</h1>
        <p class="dim">{frame.siteTitle}</p>
        {error !== null && (
          <p class="error" role="alert">
            {toSentence(error)}
          </p>
        )}
        {!keepsCookie && (
          <p class="error" role="alert">
            Browsers only stay logged in over https: open the site with https://.
          </p>
        )}
        <form id="login" method="post" action={`${frame.path}/login`}>
          <input type="hidden" name="next" value={next} />
          {step === null ? <NameAndPassword username={username} /> : <Code step={step} />}
          <button type="submit">Sign in</button>
        </form>
        {oidc !== null && step === null && (
          <p class="beside">
            <a href={oidc.href}>{`Sign in with ${oidc.label}`}</a>
          </p>
        )}
        {passkeyUrl !== null && step === null && (
          <Passkey path={`${frame.path}/login/passkey`} scriptUrl={passkeyUrl} />
        )}
        {/* Sends the address that was typed already; without one, the next page asks for it. */}
        {canReset && (
          <p class="beside">
            <button class="link" form="login" formaction={`${frame.path}/reset`} formnovalidate>
              Forgot your password?
            </button>
          </p>
        )}
      </section>
    </Frame>
  );
}

interface NameAndPasswordProps {
  /** The name that was entered before; empty: none. */
  readonly username: string;
}

function NameAndPassword({ username }: NameAndPasswordProps): VNode {
  return (
    <>
      <label for="username">Username or e-mail address</label>
      <input
        id="username"
        name="username"
        type="text"
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        value={username}
        autofocus={username === ""}
        required
      />
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        autofocus={username !== ""}
        required
      />
    </>
  );
}

interface CodeProps {
  /** The sealed login whose password was right. */
  readonly step: string;
}

function Code({ step }: CodeProps): VNode {
  return (
    <>
      <input type="hidden" name="step" value={step} />
      <label for="code">Code</label>
      <input
        id="code"
        name="code"
        type="text"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby="code-hint"
        autofocus
        required
      />
      <p class="dim hint" id="code-hint">
        Six digits of your authenticator app, or a recovery code.
      </p>
    </>
  );
}

interface PasskeyProps {
  /** Path of the routes that sign in with a passkey. */
  readonly path: string;
  readonly scriptUrl: string;
}

/** Hidden without JavaScript, which passkeys need. */
function Passkey({ path, scriptUrl }: PasskeyProps): VNode {
  return (
    <>
      <p class="error" role="alert" data-passkey-message hidden />
      <button class="quiet" type="button" data-passkey={path} data-src={scriptUrl} hidden>
        Sign in with a passkey
      </button>
      <script type="module" src={scriptUrl} />
    </>
  );
}

/** A field of a form. */
interface AccountField {
  name: string;
  label: string;
  type: "text" | "email" | "password";
  autocomplete: string;
  value?: string;
  hint?: string;
  /** True for the field that is to be filled in first. */
  isFocused?: boolean;
}
/** Content of a page before login: a heading, a text, and a form unless there is nothing to enter. */
export interface AccountFormProps {
  frame: FrameProps;
  heading: string;
  text: string;
  error: string | null;
  form: { action: string; fields: readonly AccountField[]; button: string } | null;
  link: { href: string; label: string } | null;
}

/** A page for people who are not signed in: accepting an invitation, resetting a password. */
export function AccountForm({ frame, heading, text, error, form, link }: AccountFormProps): VNode {
  return (
    <Frame {...frame}>
      <section class="login">
        <Mark />
        <h1>{heading}</h1>
        <p class="dim">{text}</p>
        {error !== null && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {form !== null && (
          <form method="post" action={form.action}>
            {form.fields.map((field) => (
              <Field {...field} />
            ))}
            <button type="submit">{form.button}</button>
          </form>
        )}
        {link !== null && (
          <p class="beside">
            <a href={link.href}>{link.label}</a>
          </p>
        )}
      </section>
    </Frame>
  );
}

function Field({ name, label, type, hint, isFocused = false, ...rest }: AccountField): VNode {
  const describedBy = hint === undefined ? undefined : `${name}-hint`;
  const shared = {
    id: name,
    name,
    autofocus: isFocused,
    "aria-describedby": describedBy,
    ...rest,
  };
  return (
    <>
      <label for={name}>{label}</label>
      {type === "password" && <input type="password" {...shared} required />}
      {type === "email" && <input type="email" {...shared} required />}
      {type === "text" && <input type="text" {...shared} required />}
      {hint !== undefined && (
        <p class="dim hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}
