/** The package manager that runs the command. */
export function callingManager(env: Readonly<Record<string, string | undefined>>): {
  name: string;
  isBerry: boolean;
  command: string[];
};
