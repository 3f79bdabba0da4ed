import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  type BehaviorOptions,
  CachePolicy,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

/** Browsers load modules from another origin only with CORS (HTML, "fetch a module script"). */
export class SdkFiles extends Construct {
  readonly bucketName: string;
  readonly behavior: BehaviorOptions;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bucket = new CfnBucket(this, 'Default', {
      publicAccessBlockConfiguration: {
        blockPublicAcls: true,
        blockPublicPolicy: true,
        ignorePublicAcls: true,
        restrictPublicBuckets: true,
      },
      bucketEncryption: {
        serverSideEncryptionConfiguration: [{ serverSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }],
      },
    });
    bucket.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const files = Bucket.fromCfnBucket(bucket);
    files.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:*'],
        resources: [files.bucketArn, files.arnForObjects('*')],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'The bucket holds the public SDK files, which anyone may read through the distribution.',
    });
    this.bucketName = files.bucketName;
    this.behavior = {
      origin: S3BucketOrigin.withOriginAccessControl(files),
      cachePolicy: this.#caching(),
      responseHeadersPolicy: this.#headers(),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    };
  }

  /** Files specify their own cache lifetime when they are uploaded (docs/operations.md). */
  #caching(): CachePolicy {
    return new CachePolicy(this, 'Caching', {
      comment: 'Canvass: SDK files',
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.minutes(5),
      maxTtl: Duration.days(365),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    });
  }

  #headers(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      comment: 'Canvass: SDK files',
      corsBehavior: {
        accessControlAllowOrigins: ['*'],
        accessControlAllowMethods: ['GET', 'HEAD'],
        accessControlAllowHeaders: ['*'],
        accessControlAllowCredentials: false,
        originOverride: true,
      },
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
      },
      customHeadersBehavior: {
        // Lets pages with `Cross-Origin-Embedder-Policy: require-corp` load the files.
        customHeaders: [{ header: 'cross-origin-resource-policy', value: 'cross-origin', override: true }],
      },
    });
  }
}
