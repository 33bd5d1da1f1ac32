"""Memory for large tables, all zero, in huge pages where the system has them.

A look-up goes anywhere in a table: with pages of 4 KB the processor mostly has to walk the page tables before it finds
the place. Linux gives huge pages (2 MB) to memory that asks for them and begins where one does.

Given back, it is the system's again. malloc keeps what it was given back of up to 32 MB, and what lies between small
pieces stays with the process: after some hundred games of a match that was as much as all searches take.
"""

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #define BOYI_LINE ((size_t) 64)                  /* of the cache */
    #define BOYI_HUGE_PAGE ((size_t) 1 << 21)
    #if defined(__linux__)
      #include <sys/mman.h>
      static void *boyi_take_pages(size_t bytes) {
          /* As much more as it takes to begin at a huge page; what is too much is given back at once. */
          size_t spare = bytes < BOYI_HUGE_PAGE ? 0 : BOYI_HUGE_PAGE, before, size = (bytes + 4095) & ~(size_t) 4095;
          char *memory = mmap(NULL, size + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          if (memory == MAP_FAILED) return NULL;
          before = (size_t) (-(uintptr_t) memory & (BOYI_HUGE_PAGE - 1));
          if (spare == 0) return memory;
          if (before) munmap(memory, before);
          if (spare - before) munmap(memory + before + size, spare - before);
          memory += before;
          #ifdef MADV_HUGEPAGE
            madvise(memory, bytes, MADV_HUGEPAGE);
          #endif
          return memory;
      }
      static void boyi_give_pages(void *memory, size_t bytes) {
          if (memory) munmap(memory, (bytes + 4095) & ~(size_t) 4095);
      }
    #else
      #include <stdlib.h>
      static void *boyi_take_pages(size_t bytes) {
          /* What was allocated is noted before where it begins. */
          char *memory = calloc(bytes + 2 * BOYI_LINE, 1), *begin;
          if (!memory) return NULL;
          begin = (char *) (((uintptr_t) memory + 2 * BOYI_LINE - 1) & ~(uintptr_t) (BOYI_LINE - 1));
          ((void **) begin)[-1] = memory;
          return begin;
      }
      static void boyi_give_pages(void *memory, size_t bytes) {
          (void) bytes;
          if (memory) free(((void **) memory)[-1]);
      }
    #endif
    """
    # This number of zero bytes, which begin at a line of the cache; NULL where there is no memory.
    void* take_pages "boyi_take_pages"(size_t bytes) noexcept nogil
    # The same number again.
    void give_pages "boyi_give_pages"(void* memory, size_t bytes) noexcept nogil
