import { failure } from './admin-error.ts';

/** Every deployment has it, and hardly anything else has. */
const MARK = 'KeyAbbreviation';

/** What the CDK puts behind the id of an output that is not right in its stack (AWS CDK, "Logical IDs"). */
const HASH = /[0-9A-F]{8}$/;

/** An output's id without the hash: the path of its construct, without separators, and its name. */
const pathOf = (key: string): string => key.replace(HASH, '');

/** `Default` is in no id. */
const prefixOf = (construct: string): string =>
  construct
    .split('/')
    .filter((part) => part !== 'Default')
    .join('')
    .replaceAll(/[^A-Za-z0-9]/g, '');

type Outputs = ReadonlyMap<string, string>;

/** By the path of the construct; the empty one is that of a stack which is the deployment. */
function deploymentsIn(outputs: Outputs): ReadonlyMap<string, Outputs> {
  const byPath = [...outputs].map(([key, value]) => [pathOf(key), value] as const);
  const marks = byPath.filter(([path]) => path.endsWith(MARK)).map(([path]) => path.slice(0, -MARK.length));
  return new Map(
    marks.map((construct) => [
      construct,
      new Map(
        byPath
          .filter(([path]) => path.startsWith(construct))
          .map(([path, value]) => [path.slice(construct.length), value]),
      ),
    ]),
  );
}

/**
 * The outputs of one deployment by their names, whichever construct of the stack it is.
 * @param construct its path in the stack; needed where there are several
 * @throws AdminError
 */
export function chooseOutputs(stackName: string, outputs: Outputs, construct: string | undefined): Outputs {
  const deployments = deploymentsIn(outputs);
  const names = [...deployments.keys()].sort();
  if (construct !== undefined) {
    const chosen = deployments.get(prefixOf(construct));
    if (chosen !== undefined) return chosen;
    const there = names.length === 0 ? 'none' : names.map((name) => name || 'Default').join(', ');
    throw failure(`The stack ${stackName} has no deployment ${construct}; there is: ${there}.`);
  }
  const [first = outputs, ...others] = deployments.values();
  if (others.length === 0) return first;
  throw failure(
    `The stack ${stackName} has several deployments: ${names.map((name) => name || 'Default').join(', ')}. Choose one with --construct.`,
  );
}
