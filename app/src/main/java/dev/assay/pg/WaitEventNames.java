package dev.assay.pg;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One spelling for the wait events of all versions: that of 18, from its view {@code pg_wait_events}, which is also that of 17.
 *
 * <p>Names of 13 to 16 differ in case, but for two ({@code wait_event.c}). Up to 12 a lightweight lock was called {@code ProcArrayLock} where
 * it is {@code ProcArray} now, and some had other names ({@code lwlock.c}, {@code lwlocknames.txt}); 9.6 had two types for them. Names
 * that no version from 17 on has, such as {@code Activity:PgStatMain}, and those that an extension gave, stand for themselves.
 *
 * <p>Immutable, and so thread-safe.
 */
final class WaitEventNames {

    private static final String CURRENT = """
            Activity: ArchiverMain AutovacuumMain BgwriterHibernate BgwriterMain CheckpointerMain CheckpointerShutdown IoWorkerMain LogicalApplyMain
              LogicalLauncherMain LogicalParallelApplyMain RecoveryWalStream ReplicationSlotsyncMain ReplicationSlotsyncShutdown SysloggerMain
              WalReceiverMain WalSenderMain WalSummarizerWal WalWriterMain
            BufferPin: BufferPin
            Client: ClientRead ClientWrite GssOpenServer LibpqwalreceiverConnect LibpqwalreceiverReceive SslOpenServer WaitForStandbyConfirmation
              WalSenderWaitForWal WalSenderWriteData
            Extension: Extension
            IO: AioIoCompletion AioIoUringExecution AioIoUringSubmit BasebackupRead BasebackupSync BasebackupWrite BuffileRead BuffileTruncate
              BuffileWrite ControlFileRead ControlFileSync ControlFileSyncUpdate ControlFileWrite ControlFileWriteUpdate CopyFileCopy CopyFileRead
              CopyFileWrite DataFileExtend DataFileFlush DataFileImmediateSync DataFilePrefetch DataFileRead DataFileSync DataFileTruncate
              DataFileWrite DsmAllocate DsmFillZeroWrite LockFileAddtodatadirRead LockFileAddtodatadirSync LockFileAddtodatadirWrite
              LockFileCreateRead LockFileCreateSync LockFileCreateWrite LockFileRecheckdatadirRead LogicalRewriteCheckpointSync
              LogicalRewriteMappingSync LogicalRewriteMappingWrite LogicalRewriteSync LogicalRewriteTruncate LogicalRewriteWrite RelationMapRead
              RelationMapReplace RelationMapWrite ReorderBufferRead ReorderBufferWrite ReorderLogicalMappingRead ReplicationSlotRead
              ReplicationSlotRestoreSync ReplicationSlotSync ReplicationSlotWrite SlruFlushSync SlruRead SlruSync SlruWrite SnapbuildRead
              SnapbuildSync SnapbuildWrite TimelineHistoryFileSync TimelineHistoryFileWrite TimelineHistoryRead TimelineHistorySync
              TimelineHistoryWrite TwophaseFileRead TwophaseFileSync TwophaseFileWrite VersionFileSync VersionFileWrite WalBootstrapSync
              WalBootstrapWrite WalCopyRead WalCopySync WalCopyWrite WalInitSync WalInitWrite WalRead WalSummaryRead WalSummaryWrite WalSync
              WalSyncMethodAssign WalWrite WalsenderTimelineHistoryRead
            IPC: AppendReady ArchiveCleanupCommand ArchiveCommand BackendTermination BackupWaitWalArchive BgworkerShutdown BgworkerStartup BtreePage
              BufferIo CheckpointDelayComplete CheckpointDelayStart CheckpointDone CheckpointStart ExecuteGather HashBatchAllocate HashBatchElect
              HashBatchLoad HashBuildAllocate HashBuildElect HashBuildHashInner HashBuildHashOuter HashGrowBatchesDecide HashGrowBatchesElect
              HashGrowBatchesFinish HashGrowBatchesReallocate HashGrowBatchesRepartition HashGrowBucketsElect HashGrowBucketsReallocate
              HashGrowBucketsReinsert LogicalApplySendData LogicalParallelApplyStateChange LogicalSyncData LogicalSyncStateChange MessageQueueInternal
              MessageQueuePutMessage MessageQueueReceive MessageQueueSend MultixactCreation ParallelBitmapScan ParallelCreateIndexScan ParallelFinish
              ProcSignalBarrier ProcarrayGroupUpdate Promote RecoveryConflictSnapshot RecoveryConflictTablespace RecoveryEndCommand RecoveryPause
              ReplicationOriginDrop ReplicationSlotDrop RestoreCommand SafeSnapshot SyncRep WalReceiverExit WalReceiverWaitStart WalSummaryReady
              XactGroupUpdate
            LWLock: AddinShmemInit AioUringCompletion AioWorkerSubmissionQueue AutoFile Autovacuum AutovacuumSchedule BackgroundWorker BtreeVacuum
              BufferContent BufferMapping CheckpointerComm CommitTs CommitTsBuffer CommitTsSLRU ControlFile DSMRegistry DSMRegistryDSA DSMRegistryHash
              DynamicSharedMemoryControl InjectionPoint LockFastPath LockManager LogicalRepLauncherDSA LogicalRepLauncherHash LogicalRepWorker
              MultiXactGen MultiXactMemberBuffer MultiXactMemberSLRU MultiXactOffsetBuffer MultiXactOffsetSLRU MultiXactTruncation NotifyBuffer
              NotifyQueue NotifyQueueTail NotifySLRU OidGen ParallelAppend ParallelBtreeScan ParallelHashJoin ParallelQueryDSA ParallelVacuumDSA
              PerSessionDSA PerSessionRecordType PerSessionRecordTypmod PerXactPredicateList PgStatsDSA PgStatsData PgStatsHash PredicateLockManager
              ProcArray RelCacheInit RelationMapping ReplicationOrigin ReplicationOriginState ReplicationSlotAllocation ReplicationSlotControl
              ReplicationSlotIO SInvalRead SInvalWrite SerialBuffer SerialControl SerialSLRU SerializableFinishedList SerializablePredicateList
              SerializableXactHash SharedTidBitmap SharedTupleStore ShmemIndex SubtransBuffer SubtransSLRU SyncRep SyncScan TablespaceCreate
              TwoPhaseState WALBufMapping WALInsert WALSummarizer WALWrite WaitEventCustom WrapLimitsVacuum XactBuffer XactSLRU XactTruncation XidGen
            Lock: advisory applytransaction extend frozenid object page relation spectoken transactionid tuple userlock virtualxid
            Timeout: BaseBackupThrottle CheckpointWriteDelay PgSleep RecoveryApplyDelay RecoveryRetrieveRetryInterval RegisterSyncRequest SpinDelay
              VacuumDelay VacuumTruncate WalSummarizerError
            """;

    /** Old name and new name; those of lightweight locks up to 12 that are more than the suffix {@code Lock}, and what was renamed later. */
    private static final String RENAMED = """
            LWLock:lock_manager LWLock:LockManager
            LWLock:proc LWLock:LockFastPath
            LWLock:buffer_mapping LWLock:BufferMapping
            LWLock:buffer_content LWLock:BufferContent
            LWLock:buffer_io IPC:BufferIo
            LWLock:BufferIO IPC:BufferIo
            LWLock:predicate_lock_manager LWLock:PredicateLockManager
            LWLock:clog LWLock:XactBuffer
            LWLock:subtrans LWLock:SubtransBuffer
            LWLock:multixact_offset LWLock:MultiXactOffsetBuffer
            LWLock:multixact_member LWLock:MultiXactMemberBuffer
            LWLock:commit_timestamp LWLock:CommitTsBuffer
            LWLock:async LWLock:NotifyBuffer
            LWLock:oldserxid LWLock:SerialBuffer
            LWLock:wal_insert LWLock:WALInsert
            LWLock:replication_origin LWLock:ReplicationOriginState
            LWLock:replication_slot_io LWLock:ReplicationSlotIO
            LWLock:parallel_query_dsa LWLock:ParallelQueryDSA
            LWLock:parallel_append LWLock:ParallelAppend
            LWLock:parallel_hash_join LWLock:ParallelHashJoin
            LWLock:session_dsa LWLock:PerSessionDSA
            LWLock:session_record_table LWLock:PerSessionRecordType
            LWLock:session_typmod_table LWLock:PerSessionRecordTypmod
            LWLock:shared_tuplestore LWLock:SharedTupleStore
            LWLock:tbm LWLock:SharedTidBitmap
            LWLock:serializable_xact LWLock:PerXactPredicateList
            LWLock:CLogControlLock LWLock:XactSLRU
            LWLock:CLogTruncationLock LWLock:XactTruncation
            LWLock:SubtransControlLock LWLock:SubtransSLRU
            LWLock:MultiXactOffsetControlLock LWLock:MultiXactOffsetSLRU
            LWLock:MultiXactMemberControlLock LWLock:MultiXactMemberSLRU
            LWLock:CommitTsControlLock LWLock:CommitTsSLRU
            LWLock:AsyncCtlLock LWLock:NotifySLRU
            LWLock:AsyncQueueLock LWLock:NotifyQueue
            LWLock:OldSerXidLock LWLock:SerialSLRU
            LWLock:SerializablePredicateLockListLock LWLock:SerializablePredicateList
            Lock:speculative token Lock:spectoken
            IPC:ClogGroupUpdate IPC:XactGroupUpdate
            IPC:HashGrowBatchesAllocate IPC:HashGrowBatchesReallocate
            IPC:HashGrowBucketsAllocate IPC:HashGrowBucketsReallocate
            Client:WalReceiverWaitStart IPC:WalReceiverWaitStart
            """;

    private static final Map<String, WaitEvent> BY_LOWER_CASE = byLowerCase();

    private WaitEventNames() {}

    private static Map<String, WaitEvent> byLowerCase() {
        Map<String, WaitEvent> events = new HashMap<>();
        String type = "";
        for (String word : CURRENT.split("\\s+", -1)) {
            if (word.isEmpty()) {
                continue; // after the last line
            }
            if (word.endsWith(":")) {
                type = word.substring(0, word.length() - 1);
                continue;
            }
            WaitEvent event = new WaitEvent(type, word);
            events.put(lowerCase(event), event);
            if (type.equals("LWLock")) {
                events.put(lowerCase(new WaitEvent(type, word + "Lock")), event);
            }
        }
        RENAMED.lines().forEach(line -> {
            int space = line.lastIndexOf(' ');
            events.put(
                    lowerCase(WaitEvent.parse(line.substring(0, space))), WaitEvent.parse(line.substring(space + 1)));
        });
        return Map.copyOf(events);
    }

    /** The event in the spelling of 18, or as it stands where 18 has no such event. */
    static WaitEvent unified(WaitEvent event) {
        return BY_LOWER_CASE.getOrDefault(lowerCase(event), event);
    }

    private static String lowerCase(WaitEvent event) {
        String type = event.type().toLowerCase(Locale.ROOT);
        boolean of96 = type.equals("lwlocknamed") || type.equals("lwlocktranche");
        return (of96 ? "lwlock" : type) + ":" + event.name().toLowerCase(Locale.ROOT);
    }
}
