import type { VNode } from "preact";
import { Frame, Mark, type FrameProps } from "./frame.js";

/** Content of the login page. */
export interface LoginProps {
  frame: Omit<FrameProps, "children">;
  next: string;
  error: string | null;
  /** True when the site can send a link for a new password. */
  canReset: boolean;
}

/** The login page. */
export function Login({ frame, next, error, canReset }: LoginProps): VNode {
  return (
    <Frame {...frame}>
      <section class="login">
        <Mark />
        <h1>Sign in</h1>
        <p class="dim">{frame.siteTitle}</p>
        {error !== null && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <form method="post" action={`${frame.path}/login`}>
          <input type="hidden" name="next" value={next} />
          <label for="username">Username or e-mail address</label>
          <input
            id="username"
            name="username"
            type="text"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
          />
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
          <button type="submit">Sign in</button>
        </form>
        {canReset && (
          <p class="beside">
            <a href={`${frame.path}/reset`}>Forgot your password?</a>
          </p>
        )}
      </section>
    </Frame>
  );
}
