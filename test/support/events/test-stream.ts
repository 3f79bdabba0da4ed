import type { DynamoDBRecord } from 'aws-lambda';
import { openStream } from '../../../local/stream/source.ts';
import type { TestTable } from '../service/test-table.ts';

export interface StreamReader {
  read(): Promise<DynamoDBRecord[]>;
  close(): void;
}

export function openTestStream({ endpoint, tableName }: TestTable): StreamReader {
  const source = openStream(endpoint, tableName);
  return {
    async read() {
      const records: DynamoDBRecord[] = [];
      for (;;) {
        const page = await source.read();
        if (page.records.length === 0) return records;
        records.push(...page.records);
      }
    },
    close: source.close,
  };
}
