/** Writes changes of attributes as DynamoDB's update expression. */

interface UpdateExpression {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/**
 * Sets attributes by path, `limits.monthlyCap`; `null` removes one and undefined leaves it as it is.
 * A parent of a path must exist. There must be at least one change.
 */
export function updateExpression(changes: Readonly<Record<string, unknown>>): UpdateExpression {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const sets: string[] = [];
  const removes: string[] = [];
  for (const [path, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    const parts = path.split('.');
    for (const part of parts) names[`#${part}`] = part;
    const place = parts.map((part) => `#${part}`).join('.');
    if (value === null) {
      removes.push(place);
      continue;
    }
    const name = `:${parts.join('_')}`;
    values[name] = value;
    sets.push(`${place} = ${name}`);
  }
  const clauses = [
    ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
  ];
  return {
    UpdateExpression: clauses.join(' '),
    ExpressionAttributeNames: names,
    ...(sets.length > 0 && { ExpressionAttributeValues: values }),
  };
}
