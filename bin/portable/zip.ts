import { crc32, deflateRawSync } from 'node:zlib';

/** Midnight of 1980, the first moment that the format knows: the same files give the same bytes. */
const TIME = 0;
const DATE = 0x21;
const DEFLATED = 8;
const UTF8 = 0x0800;
/** Written by Unix, so that the mode counts: a regular file that everybody may read. */
const BY_UNIX = 0x0314;
const MODE = 0o100644;

/** A zip of files by their names (PKWARE, APPNOTE 4.3), as small as Lambda takes one: no folders, no ZIP64. */
export function zip(files: ReadonlyMap<string, Buffer>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content, { level: 9 });
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(UTF8, 2);
    shared.writeUInt16LE(DEFLATED, 4);
    shared.writeUInt16LE(TIME, 6);
    shared.writeUInt16LE(DATE, 8);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(path.length, 22);
    local.push(Buffer.from('PK\x03\x04', 'latin1'), shared, path, packed);

    const head = Buffer.alloc(6);
    head.write('PK\x01\x02', 'latin1');
    head.writeUInt16LE(BY_UNIX, 4);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(MODE * 0x10000, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(head, shared, tail, path);
    offset += 4 + shared.length + path.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
