import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

/** A customer's key as constructs take it; in the template it is its ARN and nothing more. */
class CustomerKey extends Construct {
  readonly key: IKey;

  constructor(scope: Construct, id: string, keyArn: string) {
    super(scope, id);
    this.key = Key.fromKeyArn(this, 'Key', keyArn);
  }
}

/** The key of this ARN; its policy is the customer's own, and docs/iam.md says what it must allow. */
export function encryptionKey(scope: Construct, keyArn: string): IKey {
  const id = 'CustomerKey';
  const known = scope.node.tryFindChild(id);
  return (known instanceof CustomerKey ? known : new CustomerKey(scope, id, keyArn)).key;
}
