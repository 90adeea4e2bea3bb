@file:JvmName("Limits")

package shop.limits

import shop.clock.Clock
import shop.store.*
import shop.model.Order as Purchase

/** How much a caller has left. */
@Service
data class Bucket(val size: Int, private var left: Long = 0) : Base(size), Countable, Named<String> {
    val name: String get() = "bucket"
    private lateinit var clock: Clock
    private val cache = HashMap<String, Int>()

    constructor(other: Bucket) : this(other.size, 3) {
        check(other)
    }

    init {
        require(size > 0) { "nothing" }
    }

    companion object {
        const val MAX = 10

        @JvmStatic
        fun of(count: Int): Bucket = Bucket(count)
    }

    override suspend fun take(count: Int, vararg who: String?, then: (Int) -> Unit = {}): Boolean {
        if (count > size) throw LimitError("too many")
        val order: Purchase = Purchase(count)
        val store = shop.store.Disk(order)
        clock.now().plus(3)
        clock?.tick()
        listOf(1, 2).map { it + 1 }.forEach { println(it) }
        try {
            store.save(order)
        } catch (e: StoreError) {
            log.warn("not kept", e)
        }
        return super.take(count)
    }

    inner class Cursor(val at: Int)
}

interface Countable : Named<Int> {
    val count: Int
    fun add(more: Int): Int
}

fun interface Hook { fun run(order: Purchase) }

object Registry : Base(1), Countable {
    fun register(bucket: Bucket) = Unit
}

enum class Level(val rank: Int) : Named<Int> {
    LOW(1),
    HIGH(2) {
        override fun label() = "high"
    };

    fun up(): Level = HIGH
}

sealed class Outcome<out T> {
    class Done<T>(val value: T) : Outcome<T>()
    data object Refused : Outcome<Nothing>()
}

typealias Buckets = Map<String, Bucket>

const val NAME = "limits"
val shared = Bucket(3)

fun Bucket.double(): Int = size * 2

fun <T : Any> List<T>.second(): T? = getOrNull(1)

val Bucket.half: Int get() = size / 2

fun main(args: Array<String>) {
    fun nested(level: Level) = level.up()
    val made = Bucket.of(3)
    when (made) {
        is Countable -> nested(Level.LOW)
        else -> throw shop.Fail("x")
    }
}
