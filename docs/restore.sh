#!/bin/sh
# Restores a stage's table into a new table, and moves the stage to it ("Restore" in operations.md), with the AWS CLI 2
# and the rights of "iam operate". After an interruption, run it again. TIME is 2026-11-20T09:30:00Z, or a CreationDate.
#
#   sh docs/restore.sh STACK TIME [RECOVERY_POINT_ARN]
#   sh docs/restore.sh STACK resume
#
# An administrator replicates tables and secrets to a second region ("Loss of a region"), under keys of AWS if the key is ''.
#
#   sh docs/restore.sh STACK replicate SECOND_REGION [KEY_ARN_THERE [SECRET…]]
#
# CANVASS is the command line (default: npm run admin --), API_ID the gateway if the stack has others, and CONSTRUCT
# what the commands take as --construct.
set -eu
stack=$1
time=$2
canvass=${CANVASS:-npm run --silent admin --}

one() {
  case $2 in
    '' | None | *[[:space:]]*) echo "$stack must have one $1, and has: ${2:-none}. Set $3." >&2; exit 1 ;;
  esac
  echo "$2"
}
# The commands' --construct, as the CDK writes it in logical ids; it appends a hash of eight characters to outputs.
construct=$(echo "/${CONSTRUCT:-}/" | sed 's#/Default/#/#g' | tr -cd 'A-Za-z0-9')
output() {
  id=$construct$1
  one "output $id" "$(aws cloudformation describe-stacks --stack-name "$stack" --output text --query "Stacks[0].Outputs[?
    OutputKey=='$id' || starts_with(OutputKey,'$id') && length(OutputKey)==\`$((${#id} + 8))\`].OutputValue")" \
    'CONSTRUCT to the id of the construct'
}
functions() {
  api=$(one gateway "${API_ID:-$(aws cloudformation list-stack-resources --stack-name "$stack" --output text \
    --query "StackResourceSummaries[?ResourceType=='AWS::ApiGatewayV2::Api' &&
      starts_with(LogicalResourceId,'$construct')].PhysicalResourceId")}" API_ID) || exit 1
  arns=$(aws apigatewayv2 get-integrations --api-id "$api" --output text --query 'Items[].IntegrationUri')
  [ -n "$arns" ] || { echo "The gateway $api calls no function. Set API_ID." >&2; exit 1; }
  for arn in $arns; do echo "$arn" | cut -d: -f7; done | sort -u
}

# These read and change "$table", in the region of $at.
at=
has() { aws dynamodb describe-table --table-name "$table" $at --output text --query "$1"; }
settle() {
  aws dynamodb wait table-exists --table-name "$table" $at || { echo "$table is not complete: run this again" >&2; exit 1; }
}
change() { aws dynamodb "$@" --table-name "$table" $at >&2 && settle; }
stream() {
  [ "$(has Table.StreamSpecification.StreamViewType)" = NEW_AND_OLD_IMAGES ] ||
    change update-table --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES
}
protect() {
  [ "$(aws dynamodb describe-continuous-backups --table-name "$table" $at --output text \
    --query ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus)" = ENABLED ] ||
    change update-continuous-backups --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true
  [ "$(has Table.DeletionProtectionEnabled)" = True ] || change update-table --deletion-protection-enabled
}

if [ "$time" = replicate ]; then
  second=$3
  key=${4:-}
  [ $# -lt 4 ] && shift 3 || shift 4
  main=$(output TableName)
  log=$(output ErasureLogTableName)
  hash=$(output HashSecretName)
  ring=$(output TokenRingName)
  for table in "$main" "$log"; do
    at=
    stream
    [ "$(has "Table.Replicas[?RegionName=='$second'].RegionName")" = "$second" ] ||
      change update-table --replica-updates "Create={RegionName=$second${key:+,KMSMasterKeyId=$key}}"
    # Replicas become active after the table.
    at="--region $second"
    settle
    protect
  done
  for secret in "$hash" "$ring" "$@"; do
    [ "$(aws secretsmanager describe-secret --secret-id "$secret" --output text \
      --query "ReplicationStatus[?Region=='$second'].Region")" = "$second" ] ||
      aws secretsmanager replicate-secret-to-regions --secret-id "$secret" \
        --add-replica-regions "Region=$second${key:+,KmsKeyId=$key}" >&2
  done
  there() { aws secretsmanager describe-secret $at --secret-id "$1" --output text --query ARN; }
  cat <<END
Store this outside this region. It is "existing" of the stage's settings after the loss:
{
  "tableStreamArn": "$(table=$main && has Table.LatestStreamArn)",
  "erasureLogTableArn": "$(has Table.TableArn)",
  "hashSecretArn": "$(there "$hash")",
  "tokenRingArn": "$(there "$ring")"
}
END
  exit
fi

names=$(functions)
if [ "$time" = resume ]; then
  for name in $names; do aws lambda delete-function-concurrency --function-name "$name"; done
  echo 'Traffic is on. If a function has the setting "concurrency", "doctor" now prints how to set it again.'
  exit
fi
case $time in ????-??-??T??:??:??Z) ;; *) echo 'TIME must be in UTC, such as 2026-11-20T09:30:00Z' >&2; exit 2 ;; esac
backup=${3:-}
source=$(output TableName)
hash=$(output HashSecretName)
[ -z "$backup" ] || role=$(output BackupRoleArn)

# 1. Stop traffic: later writes are not in the restored table. Callers receive 503.
for name in $names; do
  aws lambda put-function-concurrency --function-name "$name" --reserved-concurrent-executions 0 >&2
done

# 2. Restore the table.
table=$(printf %.229s "${source%-restored-????????T??????Z}")-restored-$(echo "$time" | tr -d ':-')
# The hash secret has the key if the table is lost. It may name it by an alias.
key=$(table=$source && has Table.SSEDescription.KMSMasterKeyArn) ||
  key=$(aws secretsmanager describe-secret --secret-id "$hash" --output text --query KmsKeyId)
if ! has Table.TableStatus >&2; then
  echo "Restoring $source as it was at $time into $table. This can take hours." >&2
  if [ -z "$backup" ]; then
    aws dynamodb restore-table-to-point-in-time --source-table-name "$source" --target-table-name "$table" \
      --restore-date-time "$time" >&2
  else
    encryption='"encryptionType":"Default"'
    [ "$key" = None ] || encryption="\"encryptionType\":\"KMS\",\"kmsMasterKeyArn\":\"$key\""
    aws backup start-restore-job --resource-type DynamoDB --recovery-point-arn "$backup" --idempotency-token "$table" \
      --iam-role-arn "$role" --metadata "{\"targetTableName\":\"$table\",$encryption}" >&2
  fi
fi
settle

# 3. Add what a restored table lacks.
[ "$key" = None ] || [ "$(has Table.SSEDescription.KMSMasterKeyArn)" = "$key" ] ||
  change update-table --sse-specification "Enabled=true,SSEType=KMS,KMSMasterKeyId=$key"
case $(aws dynamodb describe-time-to-live --table-name "$table" --output text \
  --query TimeToLiveDescription.TimeToLiveStatus) in
  ENABL*) ;;
  *) change update-time-to-live --time-to-live-specification Enabled=true,AttributeName=ttl ;;
esac
protect
stream
# A table of an early version has no index by_contact. Afterwards, run "contacts sweep" for each project.
[ "$(has "Table.GlobalSecondaryIndexes[?IndexName=='by_contact'].IndexName")" = by_contact ] ||
  change update-table --attribute-definitions AttributeName=contactShard,AttributeType=S \
    AttributeName=contactOrder,AttributeType=S --global-secondary-index-updates '[{"Create":{"IndexName":"by_contact",
    "KeySchema":[{"AttributeName":"contactShard","KeyType":"HASH"},{"AttributeName":"contactOrder","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"KEYS_ONLY"}}}]'

# 4. Move the stage. A deployment does this.
if [ "$source" != "$table" ]; then
  stream=$(has Table.LatestStreamArn)
  echo "$table is complete. Add this to \"existing\" in the stage's settings, permanently:"
  echo "  \"tableStreamArn\": \"$stream\""
  echo 'If the stage has "deployment": "canary", set "all-at-once" until traffic is on: alarms block gradual deployments.'
  echo "Deploy. If that is refused, deploy again with the --parameters that it prints. Then run this again."
  exit
fi

# 5. Erase again what was erased after TIME.
$canvass --stack "$stack" ${CONSTRUCT:+--construct "$CONSTRUCT"} erasures replay --since "$time"
echo "Now repeat the changes of settings that were made after $time, such as revoked keys. Then resume traffic:"
echo "  ${CONSTRUCT:+CONSTRUCT=$CONSTRUCT }sh docs/restore.sh $stack resume"
