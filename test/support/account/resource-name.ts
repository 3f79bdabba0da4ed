import type { ResolvedResource } from '../stack/resolved-template.ts';

/** Whose `Name` is one within another resource. */
const OF_A_PARENT = ['AWS::Lambda::Alias'];

/** A name that no other resource of its type can have in an account and region; of a subscription, whom it tells. */
export function nameOf({ type, properties }: ResolvedResource): string | undefined {
  if (type === 'AWS::SNS::Subscription') return `${type} ${properties.TopicArn} ${properties.Endpoint}`;
  const name =
    properties[`${type.split('::')[2]}Name`] ?? (OF_A_PARENT.includes(type) ? undefined : properties.Name);
  return typeof name !== 'string' || name.includes('<') ? undefined : `${type} ${name}`;
}

/** The same within a region; topics of two stacks are two topics, whoever they tell. */
export const takenName = (resource: ResolvedResource, region: string): string | undefined => {
  const name = resource.type === 'AWS::SNS::Subscription' ? undefined : nameOf(resource);
  return name === undefined ? undefined : `${region} ${name}`;
};
